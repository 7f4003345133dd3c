/** What the Worker is told of a transaction that the pool refuses. */
import { describe, expect, test } from "vitest";
import { PoolCalls } from "../../../durable/pool/pool-calls.ts";
import type { AddOptions, UtxPool } from "../../../durable/pool/utx-pool.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import type { TransactionFault } from "../../../src/protocol/transactions/faults.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { signedTransfer } from "./signed-transfer.ts";

/** A pool that has run a verifier when it refuses. */
function refusingCalls(fault: TransactionFault): PoolCalls {
  const add = (_transaction: unknown, _view: unknown, _nowMs: number, { trace }: AddOptions): boolean => {
    trace?.push({ kind: "printed", json: () => ({ type: "dApp" }) });
    throw new RuleError(fault);
  };
  return new PoolCalls({
    pool: { add } as unknown as UtxPool,
    view: { settings: privateNetwork.blockchain } as unknown as StateView,
    unpublished: { size: 0, has: () => false, find: () => undefined, ids: () => [] },
    minimumPeers: 0,
    connectedPeers: () => 0,
    nowMs: () => 0,
    added: async () => {},
  });
}

describe("the trace of a refused transaction", () => {
  const bytes = encodeProtobuf(signedTransfer({ timestamp: 1n }));

  test("says what the scripts did", async () => {
    const answer = await refusingCalls({ code: "feeMissing" } as TransactionFault).broadcast(bytes, { isTraced: true });
    expect(answer).toMatchObject({ accepted: false, trace: [{ type: "dApp" }] });
  });

  test("is lost with a fee that cannot be told in WAVES, as in the reference", async () => {
    const answer = await refusingCalls({ code: "feeConversionOverflow" }).broadcast(bytes, { isTraced: true });
    expect(answer).toEqual({ accepted: false, fault: { code: "feeConversionOverflow" }, trace: [] });
  });
});
