/** Generators with their own BLS keys, and signed endorsements. */
import { type BlsSecretKey, blsPublicKeyOf, blsSecretKeyOf, blsSign } from "../../../src/crypto/bls.ts";
import type { Address, PrivateKey, PublicKey } from "../../../src/crypto/identities.ts";
import type { BlockId, ConflictEndorsement } from "../../../src/protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../../src/protocol/blocks/finalization-voting.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import type { GeneratorSet } from "../../../src/rules/finality/generator-set.ts";
import type { VotingRound } from "../../../src/rules/finality/voting-round.ts";

/** Id that differs by the number. */
export function someBlockId(number: number): BlockId {
  return new Uint8Array(32).fill(number) as Uint8Array as BlockId;
}

/** Cached: a key costs milliseconds, and tests use the same ones. */
const secretKeys = new Map<number, BlsSecretKey>();

export function secretKeyOf(index: number): BlsSecretKey {
  const known = secretKeys.get(index);
  if (known !== undefined) return known;
  const made = blsSecretKeyOf(new Uint8Array(32).fill(index + 1) as Uint8Array as PrivateKey);
  secretKeys.set(index, made);
  return made;
}

/** @param weights by index; 0: the generator has no vote */
export function generatorsWith(...weights: readonly bigint[]): GeneratorSet {
  const committed = weights.map((_, index) => ({
    index,
    address: new Uint8Array(26).fill(index) as Uint8Array as Address,
    publicKey: new Uint8Array(32).fill(index) as Uint8Array as PublicKey,
    endorserPublicKey: blsPublicKeyOf(secretKeyOf(index)),
    transactionId: new Uint8Array(32).fill(index) as Uint8Array as TransactionId,
    height: 2,
  }));
  return { committed, weights, conflicts: new Map() };
}

export const FINALIZED = { finalizedHeight: 5, finalizedBlockId: someBlockId(5) } as const;
const ENDORSED = someBlockId(9);

/** Round on block 9 with block 5 as the last final one. */
export function roundOf({ committed, weights }: GeneratorSet, generator: number): VotingRound {
  const endorserKeys = committed.map(({ index, endorserPublicKey }) =>
    weights[index] === 0n ? undefined : endorserPublicKey,
  );
  return { ...FINALIZED, endorsedBlockId: ENDORSED, generator, endorserKeys };
}

/** Endorsement of a generator, by default for the round of `roundOf`. */
export function endorsementBy(
  endorserIndex: number,
  other: Partial<Omit<ConflictEndorsement, "endorserIndex">> = {},
): ConflictEndorsement {
  const content = { ...FINALIZED, endorsedBlockId: ENDORSED, ...other };
  return { signature: blsSign(secretKeyOf(endorserIndex), endorsementSignedBytes(content)), ...content, endorserIndex };
}
