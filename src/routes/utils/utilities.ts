/**
 * Time, random bytes and hashes.
 * @source docs/protocol/rest-api.md 2.11, 6 row 8; Waves: api/http/utils/UtilsApiRoute.scala
 */

import * as z from "zod";
import { encodeBase58 } from "../../crypto/base58.ts";
import { blake2b256, secureHash } from "../../crypto/hash.ts";
import { secureRandomBytes } from "../../crypto/random.ts";
import { ApiError } from "../../http/api-error.ts";
import { rawText } from "../../http/request-body.ts";
import { constant, json, momentary, type RouteResponse } from "../../http/route-response.ts";
import { natural } from "../../http/value-kinds.ts";
import { isJsonObject, JsonSyntaxError, type ParsedJson, parseJson } from "../../protocol/parse-json.ts";
import { chainTimeMs } from "../../services/chain-time.ts";
import { route } from "../../services/context.ts";
import { base58, timestamp } from "../schemas/values.ts";

const defaultSeedSize = 32;
const maxSeedSize = 1024;

const time = route({
  method: "GET",
  path: "/utils/time",
  dependsOn: "clock",
  // Workers have one clock, which the platform synchronizes.
  description: {
    tag: "utils",
    summary: "The node's clock",
    response: () => z.strictObject({ system: timestamp(), NTP: timestamp() }),
    examples: [{}],
  },
  handle: async (node) => {
    const timeMs = await chainTimeMs(node);
    return json({ system: timeMs, NTP: timeMs }, momentary);
  },
});

const seedSchema = () => z.strictObject({ seed: base58() });
function seedResponse(sizeBytes: number): RouteResponse {
  return json({ seed: encodeBase58(secureRandomBytes(sizeBytes)) }, momentary);
}
const seed = route({
  method: "GET",
  path: "/utils/seed",
  dependsOn: "chance",
  description: { tag: "utils", summary: "Random bytes", notes: "32 of them.", response: seedSchema },
  handle: () => seedResponse(defaultSeedSize),
});
const seedOfLength = route({
  method: "GET",
  path: "/utils/seed/:length",
  dependsOn: "chance",
  params: { length: natural },
  description: {
    tag: "utils",
    summary: "Random bytes of a given length",
    notes: "At most 1,024.",
    response: seedSchema,
    errors: ["tooBigSequence"],
  },
  handle: ({ params: { length } }) => {
    if (length > maxSeedSize) throw new ApiError({ code: "tooBigSequence", limit: undefined });
    return seedResponse(length);
  },
});

const hashSchema = () => z.strictObject({ message: z.string(), hash: base58() });
const messageText = () => z.string().meta({ description: "The text to hash." });
function hashResponse(message: string, hash: (bytes: Uint8Array) => Uint8Array): RouteResponse {
  return json({ message, hash: encodeBase58(hash(new TextEncoder().encode(message))) }, constant);
}

/**
 * Returns the text to hash: that of `message`, if the body is a JSON object with only that text member, else the body.
 */
function messageOf(body: string): string {
  let parsed: ParsedJson;
  try {
    parsed = parseJson(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return body;
    throw error;
  }
  if (!isJsonObject(parsed) || Object.keys(parsed).length !== 1) return body;
  const { message } = parsed;
  return typeof message === "string" ? message : body;
}

const hashSecure = route({
  method: "POST",
  path: "/utils/hash/secure",
  dependsOn: "request",
  body: rawText(messageText),
  description: {
    tag: "utils",
    summary: "Keccak-256 of BLAKE2b-256",
    notes: "A JSON object whose only member is a text `message` stands for that text.",
    response: hashSchema,
    examples: [{ body: "test" }],
  },
  handle: ({ body, request }) =>
    hashResponse(request.mediaType === "application/json" ? messageOf(body) : body, secureHash),
});
const hashFast = route({
  method: "POST",
  path: "/utils/hash/fast",
  dependsOn: "request",
  body: rawText(messageText),
  description: { tag: "utils", summary: "BLAKE2b-256", response: hashSchema, examples: [{ body: "test" }] },
  handle: ({ body }) => hashResponse(body, blake2b256),
});

export const utilityRoutes = [time, seed, seedOfLength, hashSecure, hashFast];
