/** The recorded chain private-a as a state: block starts by our own rules, transactions as recorded. */

import { applyTransaction } from "../../../durable/transactions/apply-transaction.ts";
import type { BlockContext } from "../../../durable/transactions/block-context.ts";
import { feeShares, feesAtBlockStart } from "../../../durable/transactions/fee-shares.ts";
import { withBalanceChange } from "../../../durable/transactions/portfolio.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { snapshotRecordSizes } from "../../../src/protocol/blocks/block-file.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import { parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { parseSnapshotRecord } from "../../../src/protocol/snapshots/block-snapshot.ts";
import {
  parseTransactionSnapshot,
  type TransactionSnapshot,
} from "../../../src/protocol/snapshots/transaction-snapshot.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { fixtureBytes, recordsOf } from "../../protocol/recorded-blocks.ts";
import { activation, blockchain, headerAt } from "../consensus/recorded-private-a.ts";
import { InMemoryState } from "../in-memory-state.ts";

export const { chainId } = blockchain;
export const blocks: readonly Block[] = [
  genesisBlock(blockchain),
  ...recordsOf(fixtureBytes("private-a/blocks.bin.gz")).map((bytes) => parseBlock(bytes, chainId)),
];
const snapshotRecords = recordsOf(fixtureBytes("private-a/snapshots.bin.gz"), snapshotRecordSizes);
const features = new Map(
  activation.features.flatMap(({ id, activationHeight }) =>
    activationHeight === undefined ? [] : [[id, activationHeight] as const],
  ),
);

/** Looks at one transaction before the recorded change set is applied. */
export type Visitor = (transaction: Transaction, recorded: TransactionSnapshot, context: BlockContext) => void;

/** Goes through the chain block by block. */
export class Replay {
  readonly state = new InMemoryState({ settings: blockchain, features, height: 0 });
  #carry = 0n;

  /** Applies the next block. */
  next(visit: Visitor = () => undefined): void {
    const height = this.state.height + 1;
    const block = blocks[height - 1] as Block;
    this.state.moveTo(height);
    const context: BlockContext = {
      previousBlockTimestamp: blocks[height - 2]?.header.timestamp,
      blockTimestamp: block.header.timestamp,
      blockGenerator: addressOfPublicKey(block.header.generator, chainId),
      verifySignatures: true,
    };
    if (height === 1) {
      for (const grant of block.transactions) this.state.apply(applyTransaction(grant, this.state, context).snapshot);
      return;
    }
    this.#start(block, height, context.blockGenerator);
    const wire = parseSnapshotRecord(snapshotRecords[height - 2] as Uint8Array);
    for (const [position, transaction] of block.transactions.entries()) {
      const place = { transactionId: transaction.id, chainId };
      const recorded = parseTransactionSnapshot(wire[position] as Uint8Array, place);
      visit(transaction, recorded, context);
      this.#carry += feeShares(transaction, this.state).carry;
      this.state.apply(recorded.snapshot);
      this.state.place(transaction.id, recorded.status);
    }
  }

  #start({ transactions }: Block, height: number, generator: Address): void {
    const { state } = this;
    const previousTransactions = blocks[height - 2]?.transactions ?? [];
    const fees = feesAtBlockStart({ view: state, carry: this.#carry, previousTransactions, transactions });
    for (const { asset, amount } of fees) state.apply(withBalanceChange({}, state, generator, asset, amount));
    for (const [address, share] of Object.entries(headerAt(height).rewardShares)) {
      state.apply(withBalanceChange({}, state, decodeBase58(address) as Uint8Array as Address, null, BigInt(share)));
    }
    this.#carry = 0n;
  }
}
