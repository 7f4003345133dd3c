/** The flags of `npm start`, and of the package's command. */
import { parseArgs } from "node:util";
import { z } from "zod";
import { type CheckpointPast, checkpointPasts } from "../../src/env.ts";
import { NO_PEERS, parsePeerAddresses } from "../../src/network/peer-address.ts";
import { findNearestWord } from "./nearest-word.ts";
import { UsageError } from "./usage-error.ts";

const wholeNumber = (expected: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);

const text = (expected: string) => z.string().min(1, expected);

const somePeers = "host:port, several with commas between them, or none";

/**
 * All flags with expected value, default, and meaning (`about`). `value` is a placeholder for the value; a flag without
 * one is a switch. Help, parsing and docs/configuration.md come from this table.
 */
export const startFlags = z.object({
  network: text("the name of a network or a settings file")
    .default("private")
    .meta({ value: "NAME|FILE", about: "private, mainnet, testnet, stagenet, or a settings file (.json, .conf)" }),
  port: wholeNumber("a whole number from 0 to 65535", 0, 65_535)
    .default(6869)
    .meta({ value: "N", about: "port of the REST interface; 0: any free one" }),
  host: z
    .string()
    .regex(/^[0-9A-Za-z.:_-]+$/, "an address or a host name")
    .default("127.0.0.1")
    .meta({ value: "A", about: "address to listen on" }),
  "known-key": z
    .boolean()
    .default(false)
    .meta({ about: "allow other machines although the API key is the public default (for containers)" }),
  data: text("a directory").optional().meta({
    value: "DIR",
    about: "directory of the state; by default .data/NETWORK, with npx .waves-edge-node/NETWORK",
  }),
  secrets: text("a file with API_KEY_HASH and WALLET_SEED")
    .optional()
    .meta({ value: "FILE", about: "API_KEY_HASH and WALLET_SEED, a line each (npm run secrets makes it)" }),
  memory: z.boolean().default(false).meta({ about: "keep no state" }),
  import: text("a block file")
    .optional()
    .meta({ value: "FILE", about: "apply the blocks in FILE first, with full validation, then serve" }),
  snapshots: text("a snapshot file").optional().meta({
    value: "FILE",
    about: "state snapshots for the blocks of --import, applied instead of running transactions",
  }),
  "to-height": wholeNumber("a height: a whole number from 1", 1, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ value: "N", about: "stop importing at that height" }),
  checkpoint: text("a checkpoint").optional().meta({
    value: "FILE",
    about: "begin with the checkpoint in FILE, not with the first block (docs/checkpoints.md)",
  }),
  "checkpoint-digest": z
    .string()
    .regex(/^[0-9a-f]{64}$/, "64 digits from 0 to f, the digest printed when the checkpoint was written")
    .optional()
    .meta({ value: "HEX", about: "with --checkpoint: accept only this digest" }),
  "export-checkpoint": text("a file to write")
    .optional()
    .meta({ value: "FILE", about: "write a checkpoint of the state (after an import), then exit" }),
  "checkpoint-past": z.enum(checkpointPasts, "all or none").optional().meta({
    value: "all|none",
    about: "with --export-checkpoint: all blocks (the default), or the last ones (docs/checkpoints.md)",
  }),
  "no-mining": z.boolean().default(false).meta({ about: "produce no blocks" }),
  dev: z
    .boolean()
    .default(false)
    .meta({ about: "a dev chain: its owner controls blocks, time and state by /dev (docs/dev-chains.md)" }),
  fork: text("the URL of a node, followed by @height for an older block").optional().meta({
    value: "URL[@N]",
    about: "a dev chain that continues from block N of that node's network (docs/fork.md)",
  }),
  "no-dev": z.boolean().default(false).meta({
    about: "no dev chain, which npx starts by default unless the network is public",
  }),
  interval: z
    .string()
    .regex(/^(none|[1-9]\d{0,8})$/, "milliseconds, or none")
    .transform((value) => (value === "none" ? null : Number(value)))
    .optional()
    .meta({
      value: "MS|none",
      about: "of a dev chain: time between automatic blocks; by default the network's",
    }),
  accounts: wholeNumber("a whole number from 0 to 100", 0, 100)
    .default(10)
    .meta({ value: "N", about: "of a new dev chain: accounts with 1,000 WAVES each" }),
  "no-automine": z.boolean().default(false).meta({ about: "of a dev chain: no block for each transaction" }),
  quiet: z.boolean().default(false).meta({ about: "do not print accounts, keys and a dev chain's log" }),
  json: z.boolean().default(false).meta({ about: "with --dev: the log as lines of JSON" }),
  inspect: wholeNumber("a whole number from 1 to 65535", 1, 65_535)
    .optional()
    .meta({ value: "PORT", about: "port for a debugger or profiler of this machine" }),
  peers: text(somePeers)
    .refine((value) => parsePeerAddresses(value) !== undefined, somePeers)
    .optional()
    .meta({
      value: "HOST:PORT,...",
      about: "nodes to connect to, besides those of the settings; none: no peers",
    }),
  "p2p-port": wholeNumber("a whole number from 0 to 65535", 0, 65_535).optional().meta({
    value: "N",
    about: "listening port for peers, 0: none; by default 6868, private network 6860",
  }),
  light: z
    .boolean()
    .default(false)
    .meta({ about: "light mode: apply peers' state snapshots that the state hash proves" }),
  version: z.boolean().default(false).meta({ about: "the version" }),
  help: z.boolean().default(false).meta({ about: "this text" }),
});

export type FlagName = keyof typeof startFlags.shape;

export const flagNames = Object.keys(startFlags.shape) as FlagName[];

/** Placeholder for the value of a flag; undefined: the flag is a switch. */
export function flagValue(name: FlagName): string | undefined {
  return startFlags.shape[name].meta()?.["value"] as string | undefined;
}

/** Parsed options of a start. */
export interface StartFlags {
  /** Name of a network, or path of a `network.json`. */
  readonly network: string;
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** True if `--host` was given. */
  readonly isHostGiven: boolean;
  /** Comma-separated nodes to connect to. */
  readonly peers: string | undefined;
  /** Port for incoming peers. 0: none; undefined: the usual port, if it is free. */
  readonly p2pPort: number | undefined;
  /** Lets other machines use the public default API key. */
  readonly isKnownKeyAllowed: boolean;
  /** Undefined: the network's default. */
  readonly dataDirectory: string | undefined;
  /** File with secrets; undefined: none. */
  readonly secretsFile: string | undefined;
  readonly isInMemory: boolean;
  readonly importFile: string | undefined;
  /** State snapshots of the transactions in that file; undefined: the transactions are executed. */
  readonly snapshotsFile: string | undefined;
  /** Undefined: to the end of the file. */
  readonly importToHeight: number | undefined;
  /** Checkpoint that a new state begins with. */
  readonly checkpointFile: string | undefined;
  /** Hex; undefined: any checkpoint. */
  readonly checkpointDigest: string | undefined;
  /** File to write a checkpoint to. */
  readonly exportFile: string | undefined;
  /** History in the checkpoint below the blocks that the rules need. */
  readonly exportedPast: CheckpointPast;
  readonly isMining: boolean;
  /** Light node: applies state snapshots; the settings may enable it, too. */
  readonly isLight: boolean;
  /** Undefined: a dev chain if the network allows it. */
  readonly isDevChain: boolean | undefined;
  /** URL of the fork's source node, with a height after `@`; a fork is a dev chain. */
  readonly fork: string | undefined;
  /** True if `--network` was given. */
  readonly isNetworkGiven: boolean;
  /** Number of funded accounts on a new dev chain. */
  readonly accounts: number;
  /** Mining mode of a dev chain, as far as the flags set it. */
  readonly miningMode: { readonly automine?: false; readonly intervalMs?: number | null };
  /** Prints only errors and the line that it is ready. */
  readonly isQuiet: boolean;
  /** Prints JSON lines. */
  readonly isJson: boolean;
  /** Undefined: no inspector. */
  readonly inspectorPort: number | undefined;
  readonly isVersion: boolean;
  readonly isHelp: boolean;
}

/**
 * Parses the command line.
 * @param args without program and script
 * @param command name of the command in messages, and whether dev chains are the default
 * @throws UsageError names the flag, the given and the expected value
 */
export function parseStartFlags(
  args: readonly string[],
  command: { readonly command: string; readonly isDevByDefault: boolean } = {
    command: "npm start",
    isDevByDefault: false,
  },
): StartFlags {
  const given = readFlags(args, command.command);
  const parsed = startFlags.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const flag = String(issue?.path[0]);
    throw new UsageError(`--${flag} expects ${issue?.message}, got ${JSON.stringify(given[flag as FlagName])}.`);
  }
  const flags = parsed.data;
  if (flags.memory && flags.data !== undefined) {
    throw new UsageError("--memory and --data cannot be combined: without a stored state there is no data directory.");
  }
  const isAboutDev = flags.json || flags.interval !== undefined || flags["no-automine"];
  // Without `--dev` and `--no-dev`: flags that only a dev chain has turn it on; otherwise it depends on the network.
  const isUnsaid = command.isDevByDefault && !flags.dev && !flags["no-dev"];
  const isFork = flags.fork !== undefined;
  const namesPeers = (flags.peers ?? NO_PEERS) !== NO_PEERS;
  const isAboutPeers = namesPeers || (flags["p2p-port"] ?? 0) > 0 || flags.light;
  const unsaid = isAboutDev ? true : isAboutPeers ? false : undefined;
  const isDevChain = isFork || (isUnsaid ? unsaid : flags.dev);
  if (isDevChain && isAboutPeers) {
    const flag = namesPeers ? "peers" : flags.light ? "light" : "p2p-port";
    const chain = isFork ? "fork" : "dev chain";
    throw new UsageError(`--${flag} cannot be used with a ${chain}, which has no peers.`);
  }
  if (isFork && flags["no-dev"]) throw new UsageError("--fork and --no-dev cannot be combined: a fork is a dev chain.");
  if (isFork && flags.import !== undefined)
    throw new UsageError("--fork and --import cannot be combined: a fork begins with a block of its network.");
  if (flags.json && isDevChain === false)
    throw new UsageError("--json requires --dev: it prints the log of a dev chain.");
  if (flags["to-height"] !== undefined && flags.import === undefined) {
    throw new UsageError("--to-height requires --import FILE.");
  }
  if (flags.snapshots !== undefined && flags.import === undefined) {
    throw new UsageError("--snapshots requires --import FILE.");
  }
  if (flags["checkpoint-digest"] !== undefined && flags.checkpoint === undefined)
    throw new UsageError("--checkpoint-digest requires --checkpoint FILE.");
  if (flags["checkpoint-past"] !== undefined && flags["export-checkpoint"] === undefined)
    throw new UsageError("--checkpoint-past requires --export-checkpoint FILE.");
  const isAboutCheckpoints = flags.checkpoint !== undefined || flags["export-checkpoint"] !== undefined;
  if (isAboutCheckpoints && isDevChain === true)
    throw new UsageError("A dev chain has no checkpoints: use dump and load of npm run dev.");
  if (isDevChain === false && isAboutDev) {
    const flag = flags["no-automine"] ? "no-automine" : "interval";
    throw new UsageError(`--${flag} requires --dev: it sets when a dev chain gets blocks.`);
  }
  return {
    network: flags.network,
    port: flags.port,
    host: flags.host,
    isHostGiven: "host" in given,
    peers: flags.peers,
    p2pPort: flags["p2p-port"],
    isKnownKeyAllowed: flags["known-key"],
    dataDirectory: flags.data,
    secretsFile: flags.secrets,
    isInMemory: flags.memory,
    importFile: flags.import,
    snapshotsFile: flags.snapshots,
    importToHeight: flags["to-height"],
    checkpointFile: flags.checkpoint,
    checkpointDigest: flags["checkpoint-digest"],
    exportFile: flags["export-checkpoint"],
    exportedPast: flags["checkpoint-past"] ?? "all",
    isMining: !flags["no-mining"],
    isLight: flags.light,
    isDevChain,
    fork: flags.fork,
    isNetworkGiven: "network" in given,
    accounts: flags.accounts,
    miningMode: {
      ...(flags["no-automine"] && { automine: false }),
      ...(flags.interval !== undefined && { intervalMs: flags.interval }),
    },
    isQuiet: flags.quiet,
    isJson: flags.json,
    inspectorPort: flags.inspect,
    isVersion: flags.version,
    isHelp: flags.help,
  };
}

function readFlags(args: readonly string[], command: string): Partial<Record<FlagName, string | boolean>> {
  const options = Object.fromEntries(
    flagNames.map((name) => [name, { type: isSwitch(name) ? ("boolean" as const) : ("string" as const) }]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given: Partial<Record<FlagName, string | boolean>> = {};
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") throw new UsageError(`"${token.value}" is not a flag: flags begin with --.`);
    if (!isFlagName(token.name)) throw unknownFlag(token.rawName, token.name, command);
    if (isSwitch(token.name)) {
      if (token.value !== undefined) throw new UsageError(`--${token.name} takes no value, got "${token.value}".`);
      given[token.name] = true;
      // The last of a flag and its opposite counts.
      if (token.name === "dev" || token.name === "no-dev") delete given[token.name === "dev" ? "no-dev" : "dev"];
    } else {
      const isNextFlag = token.inlineValue === false && token.value.startsWith("--");
      if (token.value === undefined || isNextFlag) throw new UsageError(`--${token.name} expects a value after it.`);
      given[token.name] = token.value;
    }
  }
  return given;
}

function isSwitch(name: FlagName): boolean {
  return flagValue(name) === undefined;
}

function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(startFlags.shape, name);
}

function unknownFlag(rawName: string, name: string, command: string): UsageError {
  const nearest = findNearestWord(name, flagNames);
  const hint = nearest === undefined ? "--help lists the flags" : `did you mean --${nearest}?`;
  return new UsageError(`${rawName} is not a flag of ${command}: ${hint}${nearest === undefined ? "." : ""}`);
}
