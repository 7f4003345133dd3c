/**
 * Commands for a running dev chain: `mine 5`, `snapshot`, `revert 1` and so on. Help, parsing and docs/dev-chains.md
 * come from this table; the commands call `DevClient`, as tests do.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseJson } from "../../src/protocol/parse-json.ts";
import { type DataEntries, dataEntries } from "../testing/data-entries.ts";
import type { DevClient } from "../testing/dev-client.ts";
import { UsageError } from "./usage-error.ts";
import * as take from "./verb-arguments.ts";

/** Context of a command. */
export interface VerbContext {
  readonly client: DevClient;
  /** Resolves a typed path. */
  readonly resolve: (file: string) => string;
}

/** Result of a command, printed one member a line. */
type VerbResult = object;

interface Verb {
  readonly args: readonly take.VerbArgument<unknown>[];
  readonly about: string;
  /** @throws DevNodeError, UsageError */
  readonly run: (context: VerbContext, values: readonly unknown[]) => Promise<VerbResult>;
}

type Values<Takes extends readonly take.VerbArgument<unknown>[]> = {
  [Index in keyof Takes]: Takes[Index] extends take.VerbArgument<infer Value> ? Value : never;
};

/** Defines a verb; the compiler checks that the argument types match. */
function verb<const Takes extends readonly take.VerbArgument<unknown>[]>(
  about: string,
  takes: Takes,
  run: (context: VerbContext, ...values: Values<Takes>) => Promise<VerbResult>,
): Verb {
  // Values parsed by `takes` have its types.
  return { args: takes, about, run: (context, values) => run(context, ...(values as unknown as Values<Takes>)) };
}

const address = take.text("ADDRESS");
const file = take.text("FILE");

export const devVerbs = {
  status: verb("height, clock, what makes blocks, snapshots", [], ({ client }) => client.status()),
  mine: verb("make N blocks, one without N", [take.optional(take.count("N"))], ({ client }, blocks) =>
    client.mine(blocks),
  ),
  automine: verb("whether each transaction gets a block at once", [take.choice("on", "off")], ({ client }, isEnabled) =>
    client.automine(isEnabled),
  ),
  interval: verb(
    "let a block come after each such time, or none by itself",
    [take.orWord("none", take.duration)],
    ({ client }, milliseconds) => client.setInterval(milliseconds),
  ),
  "set-time": verb("set the chain's clock; it runs on from there", [take.time], ({ client }, time) =>
    client.setTime(time),
  ),
  "increase-time": verb("move the chain's clock forward", [take.duration], ({ client }, milliseconds) =>
    client.increaseTime(milliseconds),
  ),
  snapshot: verb("remember the whole state", [take.optional(take.text("NAME"))], ({ client }, name) =>
    client.snapshot(name),
  ),
  revert: verb("go back to a snapshot, which stays", [take.text("NAME")], ({ client }, name) => client.revert(name)),
  reset: verb("go back to the state right after the start", [], ({ client }) => client.reset()),
  fund: verb("send WAVES from the rich account", [address, take.amount], ({ client }, to, amount) =>
    client.fund(to, amount),
  ),
  impersonate: verb(
    "take transactions of an account without proofs, or no more",
    [address, take.optional(take.word("off"))],
    ({ client }, sender, isOff) => client.impersonate(sender, isOff !== true),
  ),
  "set-data": verb(
    'write account data: {"key": value, ...}, null removes an entry',
    [address, take.text("JSON")],
    ({ client }, owner, json) => client.setData(owner, readEntries(json)),
  ),
  "set-script": verb(
    "put a script on an account: source in a file, or compiled",
    [take.text("ADDRESS|KEY"), take.orWord("none", take.text("FILE.ride|base64:..."))],
    ({ client, resolve }, owner, script) => client.setScript(owner, readScript(script, resolve)),
  ),
  "set-balance": verb(
    "set what an account has, of WAVES or an asset",
    [address, take.amount, take.optional(take.text("ASSET"))],
    ({ client }, owner, amount, assetId) => client.setBalance(owner, amount, assetId),
  ),
  dump: verb("write the whole state to a file", [file], async ({ client, resolve }, name) => {
    const state = await client.dump();
    writeFileSync(resolve(name), state);
    return { file: resolve(name), bytes: state.length };
  }),
  load: verb("put the state of such a file in the place of this one", [file], async ({ client, resolve }, name) =>
    client.load(readBytes(resolve(name))),
  ),
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof devVerbs;

export const verbNames = Object.keys(devVerbs) as VerbName[];

export function isVerb(word: string): word is VerbName {
  return Object.hasOwn(devVerbs, word);
}

/** Usage text: `mine [N]`. */
export function verbUsage(name: VerbName): string {
  return [name, ...devVerbs[name].args.map(({ usage }) => usage)].join(" ");
}

/**
 * Parses the arguments of a command.
 * @returns the command to run
 * @throws UsageError names the command, the given and the expected arguments
 */
export function readVerb(name: VerbName, words: readonly string[]): (context: VerbContext) => Promise<VerbResult> {
  const { args, run }: Verb = devVerbs[name];
  if (words.length > args.length) throw wrongArguments(name, `"${words[args.length]}" is too much`);
  const values = args.map((argument, index) => {
    const given = words[index];
    if (given === undefined) {
      if (argument.isOptional) return undefined;
      throw wrongArguments(name, `${argument.usage} is missing`);
    }
    const value = argument.parse(given);
    if (value === undefined) throw wrongArguments(name, `expected ${argument.expected}, got "${given}"`);
    return value;
  });
  return (context) => run(context, values);
}

function wrongArguments(name: VerbName, error: string): UsageError {
  return new UsageError(`${verbUsage(name)}: ${error}.`);
}

/** Parses data entries; integers keep all their digits. */
function readEntries(json: string): DataEntries {
  try {
    return dataEntries(parseJson(json) as DataEntries);
  } catch (error) {
    throw new UsageError(`set-data: ${(error as Error).message}.`);
  }
}

function readScript(script: string | null, resolve: (file: string) => string): string | null {
  if (script === null || script.startsWith("base64:")) return script;
  return readBytes(resolve(script)).toString("utf8");
}

function readBytes(name: string): Buffer {
  try {
    return readFileSync(name);
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as Error).message}.`);
  }
}
