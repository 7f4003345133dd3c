/**
 * Blocks of a simulated network of generators, and the state after each: the rules of finality over balances and
 * commitments, without the rest of a chain. A key block and each of its micro-blocks make a form; forms are immutable.
 */

import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { BlockHeader, BlockId } from "../../../src/protocol/blocks/block.ts";
import type { Commitment } from "../../../src/rules/finality/commitment.ts";
import type { GeneratorSet } from "../../../src/rules/finality/generator-set.ts";

/** Header fields that the rules of finality read. */
export type VotingHeader = Pick<
  BlockHeader,
  "reference" | "generator" | "timestamp" | "challengedHeader" | "finalizationVoting"
>;

/** Commitments and conflicts of a period up to a form. */
export interface PeriodState {
  readonly commitments: readonly Commitment[];
  readonly byAddress: ReadonlyMap<BytesKey, Commitment>;
  /** Heights by index. */
  readonly conflicts: ReadonlyMap<number, number>;
}

export interface FormState {
  /** Wavelets, by account number. */
  readonly balances: readonly bigint[];
  /** Lowest effective balance of each account from the first block up to this form. */
  readonly lowest: readonly bigint[];
  /** Periods by first height. */
  readonly periods: ReadonlyMap<number, PeriodState>;
  /** Wavelets removed from the supply. */
  readonly burnt: bigint;
}

export interface BlockForm {
  readonly id: BlockId;
  readonly height: number;
  readonly header: VotingHeader;
  /** Number of its account. */
  readonly generator: number;
  /** Form of the parent block; undefined for the first block. */
  readonly parent: BlockForm | undefined;
  /** The form that its last micro-block extends; undefined for a key block. */
  readonly extended: BlockForm | undefined;
  /** The key block. */
  readonly keyBlock: BlockForm;
  /** Forms from the first block to this one. */
  readonly line: readonly BlockForm[];
  readonly baseTarget: bigint;
  /** Sum of the scores up to it. */
  readonly score: bigint;
  /** Generator set of its height. */
  readonly generators: GeneratorSet;
  /** Finalized height once a block extends it. */
  readonly finalizedHeight: number;
  readonly state: FormState;
}

/** A change of balances or of commitments. */
export type Operation =
  | { readonly kind: "commit"; readonly member: number }
  | { readonly kind: "transfer"; readonly from: number; readonly to: number; readonly amount: bigint };

export const noPeriod: PeriodState = { commitments: [], byAddress: new Map(), conflicts: new Map() };

export function findCommitment({ byAddress }: PeriodState, address: Address): Commitment | undefined {
  return byAddress.get(bytesKey(address));
}

/** True for two forms of one block. */
export function isSameBlock(one: BlockForm, other: BlockForm): boolean {
  return one.keyBlock === other.keyBlock;
}
