/**
 * Fields that the JSON of several transaction types shares.
 * @source docs/protocol/rest-api.md 3.3, 3.4; Waves: transaction/Asset.scala, api/http/requests/package.scala
 */
import { base58ErrorText, encodeBase58, parseBase58 } from "../../crypto/base58.ts";
import { encodePrefixedBase64, parseBase64 } from "../../crypto/base64.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import type { ParsedJson } from "../parse-json.ts";
import type { Asset, AssetId } from "./asset.ts";
import { FormatError, malformed } from "./format-error.ts";
import { base64ErrorText, type JsonRead, Refused, readEach, refuse } from "./json-reader.ts";
import { findProofsViolation, proofsText } from "./proofs.ts";
import { checkScript } from "./script-header.ts";
import type { Script } from "./transaction.ts";

const assetIdBytes = 32;
const publicKeyBytes = 32;
const ethereumKeyBytes = 64;
/** Longest base58 text of 32 bytes. */
const digestCharacters = 44;

export function assetJson(asset: Asset): string | null {
  return asset === null ? null : encodeBase58(asset);
}

export function scriptJson(script: Script | null): string | null {
  return script === null ? null : encodePrefixedBase64(script);
}

/** Chain id as a signed byte, as in the reference. */
export function chainIdJson({ chainId }: { readonly chainId: number }): number {
  return (chainId << 24) >> 24;
}

/** Id of an issued asset. */
export const assetIdText: JsonRead<AssetId> = (json) => {
  if (typeof json !== "string") return refuse("Expected base58-encoded assetId");
  const id = parseBase58(json);
  if (!(id instanceof Uint8Array)) return refuse("Expected base58-encoded assetId");
  if (id.length !== assetIdBytes) return refuse(assetSizeText(json));
  return id as Uint8Array as AssetId;
};

/** Asset; null and the empty text are the native token. */
export const assetText: JsonRead<Asset> = (json) => {
  if (json === null || json === "") return null;
  return typeof json === "string" ? assetIdText(json) : refuse("Expected base58-encoded assetId or null");
};

/** Parses an asset from text of any form: null and empty are the native token. @throws FormatError malformed */
export function parseAsset(base58: string | null): Asset {
  return base58 === null || base58 === "" ? null : parseAssetId(base58);
}

/** @throws FormatError malformed */
export function parseAssetId(base58: string): AssetId {
  const id = parseBase58(base58);
  if (!(id instanceof Uint8Array)) throw malformed(base58ErrorText(id));
  if (id.length !== assetIdBytes) throw malformed(assetSizeText(base58));
  return id as Uint8Array as AssetId;
}

function assetSizeText(base58: string): string {
  return `Invalid validation. Size of asset id ${base58} not equal ${assetIdBytes} bytes`;
}

/** Asset in the pair of an order: the text `WAVES` is the native token, too. */
export const pairAssetText: JsonRead<Asset> = (json) => (json === "WAVES" ? null : assetText(json));

export const proofsList: JsonRead<readonly Uint8Array[]> = (json) => {
  if (json === null) return [];
  if (!Array.isArray(json)) return refuse("invalid.proofs");
  const proofs = readEach(json as readonly ParsedJson[], (item) => {
    const proof = typeof item === "string" ? parseBase58(item) : refuse("expected.string");
    if (proof instanceof Uint8Array || proof instanceof Refused) return proof;
    return refuse("invalid.base58", base58ErrorText(proof));
  });
  if (proofs instanceof Refused) return proofs;
  const violation = findProofsViolation(proofs);
  return violation === undefined ? proofs : refuse("invalid.proofs", proofsText(violation));
};

/** Public key of the sender. @throws FormatError */
export function parseSenderKey(base58: string): PublicKey {
  if (base58.length > digestCharacters) {
    throw new FormatError({ code: "invalidAddress", reason: "Bad public key string length" });
  }
  const key = parseBase58(base58);
  if (!(key instanceof Uint8Array)) throw new FormatError({ code: "invalidAddress", reason: base58ErrorText(key) });
  if (key.length !== publicKeyBytes) {
    throw malformed(`requirement failed: invalid public key length: ${key.length}`);
  }
  return key as Uint8Array as PublicKey;
}

/** Key in an order: of curve25519 or of an Ethereum wallet. */
export const accountKeyText: JsonRead<PublicKey> = (json) => {
  if (typeof json !== "string") return refuse("error.expected.jsstring");
  const key = parseBase58(json);
  const isKey = key instanceof Uint8Array && (key.length === publicKeyBytes || key.length === ethereumKeyBytes);
  return isKey ? (key as Uint8Array as PublicKey) : refuse("error.incorrectAccount");
};

/** Script in base64, with or without prefix. @throws FormatError scriptUnreadable */
export function parseScript(base64: string): Script {
  const script = parseBase64(base64);
  if (!(script instanceof Uint8Array)) {
    const reason = `Unable to decode base64: ${base64ErrorText(script, base64)}`;
    throw new FormatError({ code: "scriptUnreadable", reason });
  }
  checkScript(script);
  return script as Uint8Array as Script;
}
