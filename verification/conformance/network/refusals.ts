/** What nodes wrote that none of them should have to: that they refused blocks, or shut each other out. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { NetworkNode } from "./network-node.ts";
import type { NodeKind } from "./short-network.ts";

/**
 * Lines that tell of a refusal, by the kind of node that writes them. That a block does not fit on the tip, since two were made
 * at the same time or it came from another peer before, is none.
 */
const refusals: Readonly<Record<NodeKind, RegExp>> = {
  reference: /Blacklisting |InvalidStateHash|Can't process fork|Malformed network message/,
  go: /added to black list|ERR Node failure(?!.*(?:found in cache|failed to retrieve block))|Failed to (?:check and append|broadcast)/,
  ours: /blacklist|refused|\berror\b/i,
};
/** What a Go node holds against others where there are several; whom it means it tells by a port that only the connection has. */
const amongSeveral = /timeout during synchronization/;
const maxPrintedLines = 5;
const maxPrintedCharacters = 400;

/**
 * What several nodes of one kind that is not ours hold against each other is not judged.
 * @returns the first of such lines, each with the name of the node; how many there are in the end
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
