/** A lease is joined to the transaction that created or cancelled it, in any encoding. */
import { expect, test } from "vitest";
import type { Address } from "../../src/crypto/identities.ts";
import { privateNetwork } from "../../src/network/networks/private.ts";
import { BlockVersion } from "../../src/protocol/blocks/block-version.ts";
import { buildTransaction } from "../../src/protocol/transactions/build-transaction.ts";
import { encodeForBlock } from "../../src/protocol/transactions/encode-for-block.ts";
import type { LeaseId, TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { transactionQuery } from "../../src/read-model/transaction.ts";
import { transactionTable } from "../../src/tables/blocks.ts";
import { leaseTable } from "../../src/tables/leases.ts";
import { d1Double, putRows } from "../../verification/sqlite/d1-double.ts";
import { putChain } from "../support/builders/put-chain.ts";
import { signedBy } from "../support/builders/signed-by.ts";
import { richKey } from "../support/builders/signed-transfer.ts";

const { chainId } = privateNetwork.blockchain;
const leaseId = new Uint8Array(32).map((_, index) => 200 - index) as LeaseId;
const location = { height: 2, position: 0, status: "succeeded", spentComplexity: 0 } as const;

test.each([
  [1, BlockVersion.Reward],
  [2, BlockVersion.Reward],
  [2, BlockVersion.Protobuf],
  [3, BlockVersion.Protobuf],
] as const)("a lease cancel of version %i in a block of version %i", (version, blockVersion) => {
  const { sqlite } = d1Double();
  putChain(sqlite, { height: 2 });
  const unsigned = buildTransaction({
    ...{ type: TransactionType.LeaseCancel, version, chainId, sender: richKey.publicKey, leaseId },
    ...{ fee: 100_000n, feeAsset: null, timestamp: 1_700_000_000_000n, proofs: [] },
  });
  const cancel = signedBy(richKey, unsigned);
  const bytes = encodeForBlock(cancel, blockVersion);
  const row = { ...location, id: cancel.id, type: cancel.type, bytes, snapshot: undefined, callRecord: undefined };
  putRows(sqlite, transactionTable, [row]);
  const lease = {
    ...{ id: leaseId, sender: richKey.publicKey, recipient: new Uint8Array(26) as Uint8Array as Address, amount: 7n },
    ...{
      originTransactionId: new Uint8Array(32) as Uint8Array as TransactionId,
      height: 1,
      status: "canceled" as const,
    },
    ...{ cancelHeight: 2, cancelTransactionId: cancel.id },
  } as const;
  putRows(sqlite, leaseTable, [lease]);
  const { sql, bindings, decode } = transactionQuery(cancel.id);
  const rows = sqlite.prepare(sql).all(...(bindings as string[]));
  expect(decode(rows)?.lease).toEqual(lease);
});
