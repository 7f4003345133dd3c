/** Checks on responses about a chain, one by one and across responses. Each error is a message. */

import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { transactionsRoot } from "../../../src/protocol/blocks/transactions-root.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";

/** A block or header as the REST interface prints it. */
export interface PrintedBlock {
  readonly id: string;
  readonly height: number;
  readonly timestamp: number;
  readonly reference: string;
  readonly transactionsRoot?: string;
  readonly transactionCount: number;
  readonly totalFee: number;
  readonly reward?: number;
  readonly transactions?: readonly { readonly id: string; readonly fee: number }[];
}

/** @param find a sent transaction by its id */
export function findBlockErrors(block: PrintedBlock, find: (id: string) => Transaction | undefined): string[] {
  const { transactions } = block;
  if (transactions === undefined) return [];
  const errors: string[] = [];
  const name = `block ${block.height} (${block.id.slice(0, 8)})`;
  if (transactions.length !== block.transactionCount)
    errors.push(`${name} has ${transactions.length} transactions, and says ${block.transactionCount}`);
  const fees = transactions.reduce((sum, { fee }) => sum + fee, 0);
  if (fees !== block.totalFee) errors.push(`${name} has fees of ${fees}, and says ${block.totalFee}`);
  const known = transactions.map(({ id }) => find(id));
  if (known.some((transaction) => transaction === undefined)) {
    // The genesis transactions have no sender.
    if (block.height > 1) errors.push(`${name} has a transaction that was never sent`);
  } else if (block.transactionsRoot !== undefined) {
    const root = encodeBase58(transactionsRoot(known as Transaction[]));
    if (root !== block.transactionsRoot)
      errors.push(`${name} says that the root of its transactions is ${block.transactionsRoot}, which is ${root}`);
  }
  return errors;
}

/** Checks consecutive blocks in one response. */
export function findSequenceErrors(blocks: readonly PrintedBlock[], from: number): string[] {
  return blocks.flatMap((block, index) => {
    const errors: string[] = [];
    if (block.height !== from + index) errors.push(`block ${block.height} stands where ${from + index} should`);
    const before = blocks[index - 1];
    if (before !== undefined && block.reference !== before.id)
      errors.push(
        `block ${block.height} refers to ${block.reference.slice(0, 8)}, and stands behind ${before.id.slice(0, 8)}`,
      );
    return errors;
  });
}

/** Key figures of a state: height, and the fees of its last block. */
export interface ObservedState {
  readonly height: number;
  readonly totalFee: number;
}

/**
 * Values seen for each state: all responses with one tag must agree, and all balances must add up to the supply.
 *
 * Three fifths of the last block's fees go to the next generator: no account has them yet.
 */
export class ObservedStates {
  readonly #byTag = new Map<string, ObservedState>();
  readonly #sums: { readonly tag: string; readonly sum: bigint; readonly path: string }[] = [];
  readonly #rewards = new Map<number, Set<number>>();

  get count(): number {
    return this.#byTag.size;
  }

  get sumCount(): number {
    return this.#sums.length;
  }

  /** Records the last block under a tag. */
  seeTip(tag: string, { height, totalFee, reward = 0 }: PrintedBlock): string[] {
    this.#rewards.set(height, (this.#rewards.get(height) ?? new Set()).add(reward));
    const known = this.#byTag.get(tag);
    this.#byTag.set(tag, { height, totalFee });
    if (known === undefined || (known.height === height && known.totalFee === totalFee)) return [];
    return [`state ${tag} ends with fees of ${known.totalFee} at ${known.height}, and with ${totalFee} at ${height}`];
  }

  seeSum(tag: string, sum: bigint, path: string): void {
    this.#sums.push({ tag, sum, path });
  }

  seeReward(height: number, reward: number): void {
    this.#rewards.set(height, (this.#rewards.get(height) ?? new Set()).add(reward));
  }

  /**
   * Sums that fit no state. Call it last: all rewards must be known.
   * @param initial all WAVES of the genesis block
   * @param stepWavelets part of one transaction's fee that goes to the next generator
   */
  findSumErrors(initial: bigint, stepWavelets: bigint): string[] {
    const supplies = this.#supplies(initial);
    const errors: string[] = [];
    for (const { tag, sum, path } of this.#sums) {
      const known = this.#byTag.get(tag);
      const isRight =
        known === undefined
          ? [...supplies.values()].some((supply) => supply >= sum && (supply - sum) % stepWavelets === 0n)
          : supplies.get(known.height) === sum + (BigInt(known.totalFee) * 3n) / 5n;
      if (!isRight)
        errors.push(
          `balances of state ${tag} sum to ${sum}; there are ${known === undefined ? "other amounts" : `${supplies.get(known.height)} at ${known.height}, with ${known.totalFee} in fees`} (${path.slice(0, 40)})`,
        );
    }
    for (const [height, rewards] of this.#rewards)
      if (rewards.size > 1) errors.push(`block ${height} was shown with rewards of ${[...rewards].join(", ")}`);
    return errors;
  }

  /** All WAVES after each block. */
  #supplies(initial: bigint): ReadonlyMap<number, bigint> {
    const supplies = new Map([[1, initial]]);
    const highest = Math.max(0, ...this.#rewards.keys());
    for (let height = 2; height <= highest; height++) {
      const [reward] = this.#rewards.get(height) ?? [];
      const before = supplies.get(height - 1);
      if (reward !== undefined && before !== undefined) supplies.set(height, before + BigInt(reward));
    }
    return supplies;
  }
}

/** Checks that every URL has one text under one tag. */
export class TaggedTexts {
  readonly #texts = new Map<string, string>();

  see(request: string, tag: string, text: string): string[] {
    const key = `${request}\n${tag}`;
    const known = this.#texts.get(key);
    if (known !== undefined)
      return known === text ? [] : [`${request} has two texts under ${tag}: ${apart(known, text)}`];
    this.#texts.set(key, text);
    return [];
  }

  has(request: string, tag: string): boolean {
    return this.#texts.has(`${request}\n${tag}`);
  }
}

/** The position where two texts differ. */
function apart(one: string, other: string): string {
  let index = 0;
  while (one[index] === other[index]) index++;
  const around = (text: string) => text.slice(Math.max(index - 60, 0), index + 40);
  return `…${around(one)}… and …${around(other)}…`;
}
