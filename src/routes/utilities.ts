/** Time, chance and hashes. @source spec/rest-api.md 2.11, 6 row 8; Waves: api/http/utils/UtilsApiRoute.scala */
import { encodeBase58 } from "../crypto/base58.ts";
import { blake2b256, secureHash } from "../crypto/hash.ts";
import { secureRandomBytes } from "../crypto/random.ts";
import { ApiError } from "../http/api-fault.ts";
import { constant, json, momentary, type Reply } from "../http/reply.ts";
import { rawText } from "../http/request-body.ts";
import { natural } from "../http/value-kinds.ts";
import { isJsonObject, JsonSyntaxError, type ParsedJson, parseJson } from "../protocol/parse-json.ts";
import { route } from "./context.ts";

const defaultSeedSize = 32;
const maxSeedSize = 1024;

const time = route({
  method: "GET",
  path: "/utils/time",
  // Workers have one clock, which the platform keeps right.
  handle: ({ nowMs }) => json({ system: nowMs(), NTP: nowMs() }, momentary),
});

function seedReply(sizeBytes: number): Reply {
  return json({ seed: encodeBase58(secureRandomBytes(sizeBytes)) }, momentary);
}
const seed = route({ method: "GET", path: "/utils/seed", handle: () => seedReply(defaultSeedSize) });
const seedOfLength = route({
  method: "GET",
  path: "/utils/seed/:length",
  params: { length: natural },
  handle: ({ params: { length } }) => {
    if (length > maxSeedSize) throw new ApiError({ code: "tooBigSequence", limit: undefined });
    return seedReply(length);
  },
});

function hashReply(message: string, hash: (bytes: Uint8Array) => Uint8Array): Reply {
  return json({ message, hash: encodeBase58(hash(new TextEncoder().encode(message))) }, constant);
}

/** A JSON object whose only member is a text `message` stands for that text; anything else is the text itself. */
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
  body: rawText,
  handle: ({ body, request }) =>
    hashReply(request.mediaType === "application/json" ? messageOf(body) : body, secureHash),
});
const hashFast = route({
  method: "POST",
  path: "/utils/hash/fast",
  body: rawText,
  handle: ({ body }) => hashReply(body, blake2b256),
});

export const utilityRoutes = [time, seed, seedOfLength, hashSecure, hashFast];
