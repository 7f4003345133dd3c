/** Transactions sent to both nodes: some good, most with a mistake, in what they do or in their JSON. */
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { jsonText } from "../../src/protocol/json.ts";
import { isJsonObject, type ParsedJson, type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";
import { transactionJson } from "../../src/protocol/transactions/transaction-json.ts";
import { allTransactionGenerators, makeTransaction } from "../chain-generator/all-transaction-generators.ts";
import type { ChainWorld } from "../chain-generator/chain-world.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { NodeRequest } from "./node-requests.ts";
import { wellFormed } from "./well-formed.ts";

/** Many are refused: more than a stranger may have run. */
const headers = { "Content-Type": "application/json", "X-API-Key": privateNetworkSecrets.apiKey };
const broadcastRequest: NodeRequest = {
  route: "transactions/broadcast",
  path: "/transactions/broadcast",
  method: "POST",
  headers,
  // The words of the reference's JSON parser, which differ from release to release.
  skipped: ["cause"],
};
/** More than are asked at once. */
const inFlight = 20;
/** What a member may hold in place of its own value. */
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

/** Beside itself, after it was taken, or after it was refused. */
function sentAgain(sent: readonly NodeRequest[], random: SeededRandom): NodeRequest {
  const last = sent.at(-1) as NodeRequest;
  // Where two come at once, it is chance which of them is judged and which one is found in the pool, without a trace.
  const isFitBeside = last.path === broadcastRequest.path;
  return isFitBeside && random.boolean(0.5) ? last : random.pick(sent.slice(0, -inFlight));
}

/** The text with a character left out, repeated, or in place of another: often no JSON at all. */
function withOddCharacter(text: string, random: SeededRandom): string {
  const at = random.below(text.length);
  // No brace that may close the whole: what follows is refused here, and passed over by the reference.
  const put = random.pick(["", text.slice(at, at + 1).repeat(2), ",", "]", '"', "\\", "-", "0", "e", "\u0001", "ü"]);
  return text.slice(0, at) + put + text.slice(at + 1);
}

/** The object with one member changed, left out, or added; sometimes one of an inner object. */
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
