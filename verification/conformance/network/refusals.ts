/** Log lines that no node should write: refused blocks and blacklisted peers. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { NetworkNode } from "./network-node.ts";
import type { NodeKind } from "./short-network.ts";

/**
 * Patterns of refusals, by the kind of node that logs them. A block that does not fit on the tip is no refusal: two
 * blocks may be made at the same time, or another peer may have sent it before.
 */
const refusals: Readonly<Record<NodeKind, RegExp>> = {
  reference: /Blacklisting |InvalidStateHash|Can't process fork|Malformed network message/,
  go: /added to black list|ERR Node failure(?!.*(?:found in cache|failed to retrieve block))|Failed to (?:check and append|broadcast)/,
  ours: /blacklist|refused|\berror\b/i,
};
/** Refusals among several Go nodes; the peer appears only as an ephemeral port of the connection. */
const amongSeveral = /timeout during synchronization/;
const maxPrintedLines = 5;
const maxPrintedCharacters = 400;

/**
 * Refusals between several nodes of one kind other than ours are ignored.
 * @returns the first of such lines, each with the name of the node, and the number of further ones
 */
export async function refusalsIn(nodes: readonly NetworkNode[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind, logFile } of nodes) {
    let count = 0;
    const sameKind = nodes.filter((other) => kind !== "ours" && other.kind === kind && other.name !== name);
    for await (const line of createInterface({ input: createReadStream(logFile) })) {
      if (!refusals[kind].test(line)) continue;
      const isAmongThem = sameKind.some(({ declaredAddress }) => line.includes(declaredAddress));
      if (isAmongThem || (sameKind.length > 0 && amongSeveral.test(line))) continue;
      count++;
      if (count <= maxPrintedLines) found.push(`${name}: ${line.slice(0, maxPrintedCharacters)}`);
    }
    if (count > maxPrintedLines) found.push(`${name}: ${count - maxPrintedLines} more such lines in ${logFile}`);
  }
  return found;
}
