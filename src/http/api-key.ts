/**
 * API key of private routes. The node knows only its hash.
 * @source docs/protocol/rest-api.md 1.2
 */
import { timingSafeEqual } from "node:crypto";
import { parseBase58 } from "../crypto/base58.ts";
import { secureHash } from "../crypto/hash.ts";

const hashSize = 32;
/** Hash of the sample key in old documentation: it counts as unset. */
const sampleKeyHash = "H6nsiifwYKYEx6YzYD7woP1XCn72RVvx6tC1zjjLXqsu";
/** Header of the key, and its deprecated name. */
export const apiKeyHeaders = ["X-API-Key", "api_key"] as const;

/** Whether a request has the right key. */
export type ApiKeyGuard = (headers: Headers) => boolean;

/**
 * Returns the guard of private routes. Right, wrong and missing keys cost the same: every header is hashed, present or
 * not, and compared in constant time, also if no hash is set.
 * @param hashText base58; an empty or invalid one closes every private route
 */
export function apiKeyGuard(hashText: string): ApiKeyGuard {
  const parsed = parseBase58(hashText);
  const isSet = parsed instanceof Uint8Array && parsed.length === hashSize && hashText !== sampleKeyHash;
  const hash = isSet ? parsed : new Uint8Array(hashSize);
  const encoder = new TextEncoder();
  return (headers) => {
    const matches = apiKeyHeaders.map((name) =>
      timingSafeEqual(secureHash(encoder.encode(headers.get(name) ?? "")), hash),
    );
    return isSet && matches.includes(true);
  };
}
