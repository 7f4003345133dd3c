/**
 * The key that opens private routes. The node knows its hash alone.
 * @source docs/protocol/rest-api.md 1.2
 */
import { timingSafeEqual } from "node:crypto";
import { parseBase58 } from "../crypto/base58.ts";
import { secureHash } from "../crypto/hash.ts";

const hashSize = 32;
/** Hash of the sample key in old documentation: whoever left it in place has no key. */
const sampleKeyHash = "H6nsiifwYKYEx6YzYD7woP1XCn72RVvx6tC1zjjLXqsu";
/** The header, and its deprecated name. */
export const apiKeyHeaders = ["X-API-Key", "api_key"] as const;

/** Tells whether a request carries the key. */
export type ApiKeyGuard = (headers: Headers) => boolean;

/**
 * A right key costs as much as a wrong one or none: every header is hashed, present or not, and compared in constant
 * time, also where no hash is set.
 * @param hashText base58; empty or undecodable shuts every private route
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
