/** Transactions broadcast to both nodes: some valid, most with a mistake in their fields or in their JSON. */
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { jsonText } from "../../src/protocol/json.ts";
import { isJsonObject, type ParsedJson, type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";
import { transactionJson } from "../../src/protocol/transactions/transaction-json.ts";
import { allTransactionGenerators, makeTransaction } from "../chain-generator/all-transaction-generators.ts";
import type { ChainWorld } from "../chain-generator/chain-world.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { NodeRequest } from "./node-requests.ts";
import { wellFormed } from "./well-formed.ts";

/** Many are rejected: the API key lifts the limits of anonymous clients. */
const headers = { "Content-Type": "application/json", "X-API-Key": privateNetworkSecrets.apiKey };
const broadcastRequest: NodeRequest = {
  route: "transactions/broadcast",
  path: "/transactions/broadcast",
  method: "POST",
  headers,
  // Messages of the reference's JSON parser, which differ from release to release.
  skipped: ["cause"],
};
/** More than the number of requests in flight at once. */
const inFlight = 20;
/** Values that may replace a member's own value. */
const oddValues: readonly ParsedJson[] = [
  null,
  "",
  0n,
  -1n,
  1n,
  9_223_372_036_854_775_807n,
  9_223_372_036_854_775_808n,
  true,
  "1",
  "WAVES",
  "0OIl",
  "alias:R:nobody-has-it",
  "alias:T:nobody-has-it",
  "base64:AQID",
  [],
  {},
  [1n],
];

/** @param world at the tip of both nodes, at the present time */
export function* broadcasts(world: ChainWorld, count: number): Iterable<NodeRequest> {
  const makers = allTransactionGenerators();
  const sent: NodeRequest[] = [];
  for (let made = 0; made < count; ) {
    if (sent.length > inFlight && world.random.boolean(0.1)) {
      made++;
      yield sentAgain(sent, world.random);
      continue;
    }
    const json = wellFormed(() => parseJson(jsonText(transactionJson(makeTransaction(makers, world)))));
    if (json === undefined || !isJsonObject(json)) continue;
    made++;
    const body = jsonText(world.random.boolean(0.5) ? json : withOddMember(json, world.random));
    const text = world.random.boolean(0.1) ? withOddCharacter(body, world.random) : body;
    const isTraced = world.random.boolean(0.3);
    const asked = isTraced
      ? {
          ...broadcastRequest,
          route: `${broadcastRequest.route}?trace`,
          path: `${broadcastRequest.path}?trace=true`,
          body: text,
        }
      : { ...broadcastRequest, body: text };
    sent.push(asked);
    yield asked;
  }
}

/** An earlier request again: while the first is in flight, after it was accepted, or after it was rejected. */
function sentAgain(sent: readonly NodeRequest[], random: SeededRandom): NodeRequest {
  const last = sent.at(-1) as NodeRequest;
  // When two arrive at once, chance decides which one is validated; the other one is found in the pool, and its
  // response has no trace.
  const isFitBeside = last.path === broadcastRequest.path;
  return isFitBeside && random.boolean(0.5) ? last : random.pick(sent.slice(0, -inFlight));
}

/** The text with one character removed, doubled or replaced; often no longer valid JSON. */
function withOddCharacter(text: string, random: SeededRandom): string {
  const at = random.below(text.length);
  // No brace that may close the whole: this node rejects text after it, the reference ignores that text.
  const put = random.pick(["", text.slice(at, at + 1).repeat(2), ",", "]", '"', "\\", "-", "0", "e", "\u0001", "ü"]);
  return text.slice(0, at) + put + text.slice(at + 1);
}

/** The object with one member changed, removed or added; sometimes in an inner object. */
function withOddMember(json: ParsedObject, random: SeededRandom): ParsedObject {
  const name = random.pick(Object.keys(json));
  const value = json[name];
  if (isJsonObject(value) && random.boolean(0.7)) return { ...json, [name]: withOddMember(value, random) };
  if (Array.isArray(value) && random.boolean(0.7)) return { ...json, [name]: withOddItem(value, random) };
  if (random.boolean(0.15)) return Object.fromEntries(Object.entries(json).filter(([other]) => other !== name));
  return { ...json, [name]: random.pick(oddValues) };
}

function withOddItem(items: readonly ParsedJson[], random: SeededRandom): readonly ParsedJson[] {
  if (items.length === 0) return [random.pick(oddValues)];
  const at = random.below(items.length);
  const item = items[at] as ParsedJson;
  return items.with(at, isJsonObject(item) ? withOddMember(item, random) : random.pick(oddValues));
}
