/**
 * Validation of a header or a block alone, without the chain.
 * @source docs/protocol/consensus-and-finality.md 1.6; Waves: block/validation/Validators.scala
 */

import { encodeBase58 } from "../../crypto/base58.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import { RuleError } from "../errors.ts";
import type { Block, BlockHeader } from "./block.ts";
import { BlockVersion } from "./block-version.ts";
import { transactionsRoot } from "./transactions-root.ts";

const digestSize = 32;
const signatureSize = 64;
const vrfProofSize = 96;
const maxFeatureVotes = 64;

/**
 * Validates the form of a header: sizes of its byte strings, and feature votes before version 5. Feature votes of
 * version 5 may be any number, in any order and repeated: the reference generates them sorted, but does not check those
 * of others. Nor does it check the size of a state hash. One of another size is a wrong state hash, which a challenging
 * block repeats.
 * @throws RuleError headerFieldInvalid
 */
export function validateHeaderForm(header: BlockHeader): void {
  const isProtobuf = header.version >= BlockVersion.Protobuf;
  assertSize("reference", header.reference, isProtobuf ? [digestSize, signatureSize] : [signatureSize]);
  assertSize("generationSignature", header.generationSignature, [isProtobuf ? vrfProofSize : digestSize]);
  if (!isProtobuf) validateFeatureVotes(header.featureVotes, header.version);
}

/**
 * Validates the form of a block: its header, and in version 5 the transactions root.
 * Cost: hashes every transaction of a version 5 block.
 * @throws RuleError headerFieldInvalid, transactionsRootWrong
 */
export function validateBlockForm({ header, transactions }: Pick<Block, "header" | "transactions">): void {
  validateHeaderForm(header);
  if (header.version < BlockVersion.Protobuf) return;
  const got = header.transactionsRoot ?? new Uint8Array(0);
  assertSize("transactionsRoot", got, [digestSize]);
  const expected = transactionsRoot(transactions);
  if (equalBytes(expected, got)) return;
  throw new RuleError({ code: "transactionsRootWrong", expected: encodeBase58(expected), got: encodeBase58(got) });
}

function validateFeatureVotes(votes: readonly number[], version: number): void {
  const refuse = (reason: string): never => invalid("featureVotes", reason);
  if (votes.length > 0 && version < BlockVersion.Ng) refuse(`a block of version ${version} carries none`);
  if (votes.length > maxFeatureVotes) refuse(`${maxFeatureVotes} at most, got ${votes.length}`);
  if (new Set(votes).size !== votes.length) refuse("a feature occurs twice");
}

function assertSize(field: string, bytes: Uint8Array, sizesBytes: readonly number[]): void {
  if (!sizesBytes.includes(bytes.length)) {
    invalid(field, `${sizesBytes.join(" or ")} bytes expected, got ${bytes.length}`);
  }
}

function invalid(field: string, reason: string): never {
  throw new RuleError({ code: "headerFieldInvalid", field, reason });
}
