/** Ids in messages. @source Waves: common/state/ByteStr.scala (trim), network/package.scala (formatSignatures) */
import { encodeBase58 } from "../../../src/crypto/base58.ts";

const SHORT_ID_LENGTH = 7;

/** First characters of an id. */
export function shortId(id: Uint8Array): string {
  return `${encodeBase58(id).slice(0, SHORT_ID_LENGTH)}...`;
}

/** Number of ids, with the first and the last of them. */
export function idsText(ids: readonly Uint8Array[]): string {
  const [first] = ids;
  const last = ids.at(-1);
  if (first === undefined || last === undefined) return "[Empty]";
  if (ids.length === 1) return `[${shortId(first)}]`;
  return `(total=${ids.length}) [${shortId(first)} -- ${shortId(last)}]`;
}
