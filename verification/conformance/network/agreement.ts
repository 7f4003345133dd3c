/** Agreement of nodes on chain and state. */
import { setTimeout as pause } from "node:timers/promises";
import type { ParsedJson, ParsedObject } from "../../../src/protocol/parse-json.ts";
import type { NetworkNode } from "./network-node.ts";
import { headersOf, heightOf, stateHashesAt } from "./read-chain.ts";

type NodeEndpoint = Pick<NetworkNode, "name" | "url">;

const pollMs = 500;
/** Blocks that may still change: the tip and its parent. */
const unsettled = 2;
const maxPrintedDifferences = 5;
/** Fields about the node itself, next to the hashes. */
const ignoredFields: ReadonlySet<string> = new Set(["version"]);

/**
 * Polls until the condition holds. A node that does not respond is polled again. Only pauses count towards the timeout,
 * not responses: on a loaded machine responses take longer, as may everything else.
 * @param timeoutMs for a machine without other work
 * @throws Error when the condition does not hold in time
 */
export async function waitUntil(what: string, timeoutMs: number, holds: () => Promise<boolean>): Promise<void> {
  let last: unknown;
  for (let waitedMs = 0; waitedMs <= timeoutMs; waitedMs += pollMs) {
    try {
      if (await holds()) return;
    } catch (error) {
      last = error;
    }
    await pause(pollMs);
  }
  throw new Error(`${what}: not within ${Math.round(timeoutMs / 1_000)} s`, { cause: last });
}

export async function waitForHeight(node: NodeEndpoint, height: number, timeoutMs: number): Promise<void> {
  await waitUntil(`${node.name} has ${height} blocks`, timeoutMs, async () => (await heightOf(node.url)) >= height);
}

/** The lowest height of the nodes. */
export async function leastHeight(nodes: readonly NodeEndpoint[]): Promise<number> {
  return Math.min(...(await Promise.all(nodes.map(({ url }) => heightOf(url)))));
}

/**
 * Waits until all nodes have the same block just below their tips, at least at the given height.
 * @returns the height of that block
 * @throws Error when they do not agree in time
 */
export async function waitForAgreement(
  nodes: readonly NodeEndpoint[],
  least: number,
  timeoutMs: number,
): Promise<number> {
  let agreed = 0;
  const names = nodes.map(({ name }) => name).join(", ");
  await waitUntil(`${names} agree at height ${least} or above`, timeoutMs, async () => {
    const height = (await leastHeight(nodes)) - unsettled;
    if (height < Math.max(1, least)) return false;
    const ids = await Promise.all(nodes.map(async ({ url }) => (await headersOf(url, height, height))[0]?.id));
    if (new Set(ids).size !== 1) return false;
    agreed = height;
    return true;
  });
  return agreed;
}

/**
 * Compares ids and state hashes at every height from 1 on.
 * @param hashesFrom first height for state hashes
 * @returns a message for each of the first differences
 */
export async function differencesTo(nodes: readonly NodeEndpoint[], height: number, hashesFrom = 1): Promise<string[]> {
  const [first, ...others] = nodes;
  if (first === undefined) return [];
  const found: string[] = [];
  const expected = await headersOf(first.url, 1, height);
  for (const other of others) {
    const got = await headersOf(other.url, 1, height);
    const at = expected.findIndex(({ id }, index) => got[index]?.id !== id);
    if (at >= 0) {
      const facts = `${expected[at]?.id} and ${got[at]?.id}`;
      found.push(`${first.name} and ${other.name} have other blocks from height ${at + 1} on: ${facts}`);
      continue;
    }
    for (let each = hashesFrom; each <= height && found.length < maxPrintedDifferences; each++) {
      const [left, right] = await Promise.all([stateHashesAt(first.url, each), stateHashesAt(other.url, each)]);
      const member = differentMember(left, right);
      if (member !== undefined) found.push(`${first.name} and ${other.name} differ at height ${each} in ${member}`);
    }
  }
  return found;
}

/** The first member of the state hashes that both have and that differs. */
function differentMember(left: ParsedObject | undefined, right: ParsedObject | undefined): string | undefined {
  if (left === undefined || right === undefined) return left === right ? undefined : "whether there is a state hash";
  const shared = Object.keys(left).filter((name) => name in right && !ignoredFields.has(name));
  if (!shared.includes("stateHash")) return "whether there is a state hash";
  const name = shared.find((each) => textOf(left[each]) !== textOf(right[each]));
  return name && `${name}: ${textOf(left[name])} and ${textOf(right[name])}`;
}

function textOf(value: ParsedJson | undefined): string {
  return String(value).toLowerCase();
}
