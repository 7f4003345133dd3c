/**
 * Blocks that depend on an address of another chain: their generator's node may have looked at the address before, or
 * not.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { addressOfPublicKey, addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { buildMicroBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { AuthorizedTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { BlockRun, noUsage } from "../../../src/rules/blocks/block-run.ts";
import { noLimits } from "../../../src/rules/consensus/block-limits.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import { FirstVerdicts } from "../../../src/rules/state/foreign-addresses.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { compiled, expensive } from "../../support/builders/dapps.ts";
import { violationCodeOf } from "../../support/builders/forked-nodes.ts";
import { signedBy } from "../../support/builders/signed-by.ts";
import { richKey } from "../../support/builders/signed-transfer.ts";

const { chainId } = privateNetwork.blockchain;
const startMs = Number(privateNetwork.blockchain.genesis.blockTimestampMs);
const dApp = addressOfPublicKey(richKey.publicKey, chainId);
const foreign = addressOfPublicKeyHash(new Uint8Array(20).fill(5), "W".charCodeAt(0));
/** Costly enough to be included when it fails. */
const script = compiled(
  6,
  `@Callable(i)
   func pay() = if (${expensive(6)}) then [] else [ScriptTransfer(Address(base58'${encodeBase58(foreign)}'), 7, unit)]`,
);

let node: SimulatedNode;
let sent = 0;
beforeEach(() => {
  node = new SimulatedNode({ startMs });
  node.mineTo(2);
  node.broadcast(transactionOf({ type: TransactionType.SetScript, fee: 10_000_000n, script }));
  while (node.pool.size > 0) node.step();
  node.mineTo(3);
});

function transactionOf(wish: object) {
  const common = { version: 2, chainId, sender: richKey.publicKey, feeAsset: null, proofs: [] } as const;
  const timestamp = BigInt(node.nowMs + sent++);
  return signedBy(richKey, buildTransaction({ ...common, timestamp, ...wish } as unknown as AuthorizedTransaction));
}

const payment = () =>
  transactionOf({
    ...{ type: TransactionType.InvokeScript, fee: 900_000n, payments: [] },
    ...{ dApp: { kind: "address", address: dApp }, call: { function: "pay", args: [] } },
  });

/** Micro-block of a node that has given every address this result before. */
function microBlock(before: boolean | undefined, stateHash?: Digest): MicroBlock {
  const { view, liquid, stored } = node.chain;
  const transactions = [payment()];
  const { header } = headerAt(view, 3);
  const run = new BlockRun({
    overlay: new OverlayView(view, { height: 3, foreignAddresses: new FirstVerdicts(before) }),
    blockVersion: header.version,
    generator: dApp,
    blockTimestamp: header.timestamp,
    previousBlockTimestamp: headerAt(view, 2).header.timestamp,
    limits: noLimits,
    usage: noUsage,
    stateHash: stored.tip().stateHash as Digest,
    verifySignatures: false,
  });
  for (const transaction of transactions) run.add(transaction);
  return buildMicroBlock({
    liquid: liquid.block(),
    extension: { transactions, stateHash: stateHash ?? run.stateHash, finalizationVoting: undefined },
    privateKey: richKey.privateKey,
    chainId,
    random: secureRandomBytes,
  }).microBlock;
}

describe("a micro-block", () => {
  test.each([
    [undefined, "failed", 0n],
    [false, "failed", 0n],
    [true, "succeeded", 7n],
  ] as const)("of a node that had said %s of it before is taken, as it came about there", (before, status, paid) => {
    const received = microBlock(before);
    node.node.appendMicroBlock(received);
    const [{ id }] = received.transactions as [MicroBlock["transactions"][number]];
    expect(node.chain.view.findTransaction(id)?.status).toBe(status);
    expect(node.chain.view.balance(foreign, null)).toBe(paid);
  });

  test("with a state hash of no valid variant is refused", () => {
    const wrong = new Uint8Array(32).fill(1) as Digest;
    expect(violationCodeOf(() => node.node.appendMicroBlock(microBlock(true, wrong)))).toBe("stateHashWrong");
  });
});

test("the pool and own blocks accept no call that depends on it", () => {
  expect(violationCodeOf(() => node.broadcast(payment()))).toBe("generic");
  expect(node.pool.size).toBe(0);
  const { run } = node.chain.liquid.openMicroBlock({ verifySignatures: true });
  expect(() => run.add(payment())).toThrow("a script checks an address of another chain");
});
