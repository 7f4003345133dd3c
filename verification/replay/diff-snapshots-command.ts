/**
 * `npm run diff:snapshots -- DIR [--all]`: appends the recorded chain in DIR (`network.json`, `blocks.bin`,
 * `snapshots.bin`, `state-hashes.jsonl`) with full validation, and prints the first transaction and field that differ
 * from the recording, or all of them. Writes nothing. Exit code 1 when something differs.
 */
import { parseArgs } from "node:util";
import { UsageError } from "../../local/cli/usage-error.ts";
import { NetworkSettingsError } from "../../src/network/settings-error.ts";
import { WireError } from "../../src/protocol/errors.ts";
import { readRecording } from "./recording.ts";
import { type Difference, type ReplayResult, replayChain } from "./replay-chain.ts";

const usage = "npm run diff:snapshots -- DIR [--all]";

try {
  const { folder, all } = readFlags();
  const replay = replayChain(readRecording(folder), { all });
  process.stdout.write(report(replay, all));
  process.exitCode = replay.differences.length === 0 ? 0 : 1;
} catch (error) {
  const isOfInput = error instanceof UsageError || error instanceof WireError || error instanceof NetworkSettingsError;
  if (!isOfInput) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

function readFlags(): { readonly folder: string; readonly all: boolean } {
  try {
    const { values, positionals } = parseArgs({ options: { all: { type: "boolean" } }, allowPositionals: true });
    const [folder, ...rest] = positionals;
    if (folder === undefined || rest.length > 0) throw new UsageError(`one folder is expected: ${usage}`);
    return { folder, all: values.all ?? false };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const [firstSentence] = (error as Error).message.split(". ");
    throw new UsageError(`${firstSentence}: ${usage}`);
  }
}

function report({ height, compared, reordered, fromRecording, differences }: ReplayResult, all: boolean): string {
  const lines: string[] = [];
  const found = all ? differences : differences.slice(0, 1);
  for (const difference of found) lines.push(...describe(difference));
  if (all && differences.length > 0) {
    lines.push("", "differences by type");
    for (const [kind, number] of counted(differences.map(kindOf))) lines.push(`  ${kind}: ${number}`);
  }
  lines.push("", `height ${height}`, "compared, by type");
  for (const [type, number] of sorted(compared)) lines.push(`  type ${type}: ${number}`);
  if (reordered > 0) lines.push(`equal, but in another order: ${reordered}`);
  lines.push("applied from the recording");
  for (const [reason, number] of sorted(fromRecording)) lines.push(`  ${reason}: ${number}`);
  lines.push(differences.length === 0 ? "no difference" : `${differences.length} differ${all ? "" : " so far"}`);
  return `${lines.join("\n").trimStart()}\n`;
}

function describe(difference: Difference): string[] {
  const { height, differences } = difference;
  const where =
    difference.kind === "block"
      ? `height ${height}`
      : `height ${height}, transaction ${difference.index}, ${difference.id}, type ${difference.type} version ${difference.version}`;
  return differences.map(({ field, expected, got }) => `${where}: ${field}: expected ${expected}, got ${got}`);
}

function kindOf(difference: Difference): string {
  return difference.kind === "block" ? "blocks" : `type ${difference.type} version ${difference.version}`;
}

function counted(kinds: readonly string[]): readonly [string, number][] {
  return sorted(new Map([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length])));
}

function sorted<Key extends string | number>(counts: ReadonlyMap<Key, number>): readonly [Key, number][] {
  return [...counts].toSorted(([left], [right]) => String(left).localeCompare(String(right), "en", { numeric: true }));
}
