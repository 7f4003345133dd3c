/**
 * Pages of an account's transactions after a transaction. On an imported chain the reference ignores `after` and
 * returns the first page, against the requirements; so such a page is compared with the whole list.
 */
import { findDifference } from "../../../scripts/tools/compare-answers.ts";
import { isJsonObject, type ParsedJson } from "../../../src/protocol/parse-json.ts";
import type { TestNode } from "../test-node.ts";
import { findAnswerDifference, findJson } from "./answer-difference.ts";
import { answerOf, type Exchange } from "./exchange.ts";

/** By transaction id; later ones have larger numbers. */
export type PlacesInChain = ReadonlyMap<string, number>;

/** More transactions than the chain has. */
const wholeListLimit = 1_000;

interface Page {
  /** Path of the account's list, without a limit. */
  readonly list: string;
  readonly limit: number;
  /** Position of the transaction after which the page begins. */
  readonly place: number;
}

/** Positions of transactions in the recorded blocks. */
export function placesInChain(exchanges: readonly Exchange[]): PlacesInChain {
  const blocks = new Map<bigint, readonly ParsedJson[]>();
  for (const { path, status, response } of exchanges) {
    const block = /^\/blocks\/at\/\d+$/.test(path) && status === 200 ? findJson(response) : undefined;
    if (!isJsonObject(block) || !Array.isArray(block["transactions"])) continue;
    blocks.set(block["height"] as bigint, block["transactions"]);
  }
  const ids = [...blocks].sort(([left], [right]) => Number(left - right)).flatMap(([, list]) => list.map(idOf));
  return new Map(ids.map((id, place) => [id, place]));
}

/** The requested page; undefined if the id is not on the chain, and so ignored. */
export function findPage({ path }: Exchange, places: PlacesInChain): Page | undefined {
  const match = /^(\/transactions\/address\/\w+)\/limit\/(\d+)\?after=(\w+)$/.exec(path);
  const [, list = "", limit = "", after = ""] = match ?? [];
  const place = places.get(after);
  return place === undefined ? undefined : { list, limit: Number(limit), place };
}

/** The first page must equal the recorded response, and the page the part of the whole list after the transaction. */
export async function findPageDifference(
  node: TestNode,
  exchange: Exchange,
  { list, limit, place }: Page,
  places: PlacesInChain,
): Promise<string | undefined> {
  const answerAt = (path: string) => answerOf(node, { ...exchange, path });
  const difference = findAnswerDifference(exchange, await answerAt(`${list}/limit/${limit}`));
  if (difference !== undefined) return `the first page: ${difference}`;
  const [whole] = findJson((await answerAt(`${list}/limit/${wholeListLimit}`)).text) as readonly [
    readonly ParsedJson[],
  ];
  const later = whole.filter((item) => (places.get(idOf(item)) as number) < place).slice(0, limit);
  return findDifference([later], findJson((await answerAt(exchange.path)).text), new Set());
}

function idOf(transaction: ParsedJson): string {
  return (transaction as { readonly id: string }).id;
}
