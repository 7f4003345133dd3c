/**
 * Blocks of a simulated network of generators, and what each leaves behind: the rules of finality over balances and commitments, and
 * nothing else of a chain. A key block and each of its micro-blocks make a form of it; forms never change.
 */

import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { BlockHeader, BlockId } from "../../../src/protocol/blocks/block.ts";
import type { Commitment } from "../../../src/rules/finality/commitment.ts";
import type { GeneratorSet } from "../../../src/rules/finality/generator-set.ts";

/** The members of a header that the rules of finality read. */
export type VotingHeader = Pick<
  BlockHeader,
  "reference" | "generator" | "timestamp" | "challengedHeader" | "finalizationVoting"
>;

/** What was said of a period up to a form. */
export interface PeriodState {
  readonly commitments: readonly Commitment[];
  readonly byAddress: ReadonlyMap<BytesKey, Commitment>;
  /** Heights by index. */
  readonly conflicts: ReadonlyMap<number, number>;
}

export interface FormState {
  /** By number of account, wavelets. */
  readonly balances: readonly bigint[];
  /** Of each account the lowest that it could have generated with, from the first block up to this form. */
  readonly lowest: readonly bigint[];
  /** By first height. */
  readonly periods: ReadonlyMap<number, PeriodState>;
  /** Wavelets that are gone for good. */
  readonly burnt: bigint;
}

export interface BlockForm {
  readonly id: BlockId;
  readonly height: number;
  readonly header: VotingHeader;
  /** Number of its account. */
  readonly generator: number;
  /** The form of the block below that it stands on; undefined: it is the first block. */
  readonly parent: BlockForm | undefined;
  /** The form that its last micro-block extends; undefined: it is a key block. */
  readonly extended: BlockForm | undefined;
  /** The key block. */
  readonly keyBlock: BlockForm;
  /** From the first block on, itself the last of them. */
  readonly line: readonly BlockForm[];
  readonly baseTarget: bigint;
  /** Sum of the scores up to it. */
  readonly score: bigint;
  /** Of its height. */
  readonly generators: GeneratorSet;
  /** What is final once a block stands on it. */
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

/** Whether they are forms of one block. */
export function isSameBlock(one: BlockForm, other: BlockForm): boolean {
  return one.keyBlock === other.keyBlock;
}
