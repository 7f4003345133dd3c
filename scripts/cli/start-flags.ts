/**
 * The flags of `npm start`, and of the package's command.
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { type CheckpointPast, checkpointPasts } from "../../src/env.ts";
import { NO_PEERS, parsePeerPlaces } from "../../src/network/peer-place.ts";
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
 * Every flag: what it wants, what holds without it, and what it means (`about`). `value` stands for what comes after it; a flag
 * without one is a switch. Help, parsing and docs/configuration.md are made of this.
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
    .regex(/^[0-9a-f]{64}$/, "64 digits from 0 to f, as whoever wrote the checkpoint was told")
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
  fork: text("the URL of a node, and @height behind it where it is not to be the newest").optional().meta({
    value: "URL[@N]",
    about: "a dev chain that goes on from block N of that node's network (docs/fork.md)",
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
    .refine((value) => parsePeerPlaces(value) !== undefined, somePeers)
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

/** What stands for the value of a flag; undefined: the flag is a switch. */
export function flagValue(name: FlagName): string | undefined {
  return startFlags.shape[name].meta()?.["value"] as string | undefined;
}

/** What a start was asked to do. */
export interface StartFlags {
  /** Name of a network or path of a `network.json`. */
  readonly network: string;
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Whether the host was named, and not left to the default. */
  readonly isHostGiven: boolean;
  /** Nodes to connect to, with commas between them. */
  readonly peers: string | undefined;
  /** Where other nodes connect. 0: nowhere; undefined: at the usual port, if that is free. */
  readonly p2pPort: number | undefined;
  /** Other machines may use the key that everybody knows. */
  readonly isKnownKeyAllowed: boolean;
  /** Undefined: the default for the network. */
  readonly dataDirectory: string | undefined;
  /** File with secrets; undefined: there is none. */
  readonly secretsFile: string | undefined;
  readonly isInMemory: boolean;
  readonly importFile: string | undefined;
  /** Snapshots of the transactions in that file; undefined: they are run. */
  readonly snapshotsFile: string | undefined;
  /** Undefined: to the end of the file. */
  readonly importToHeight: number | undefined;
  /** A new state begins with it. */
  readonly checkpointFile: string | undefined;
  /** Hex; undefined: any checkpoint will do. */
  readonly checkpointDigest: string | undefined;
  /** Where a checkpoint is written. */
  readonly exportFile: string | undefined;
  /** Which blocks it has below those that the rules look back to. */
  readonly exportedPast: CheckpointPast;
  readonly isMining: boolean;
  /** Whether transactions of others are not run; the settings may say so, too. */
  readonly isLight: boolean;
  /** Undefined: where it can be one. */
  readonly isDevChain: boolean | undefined;
  /** URL of the node behind a fork, which is a dev chain, and a height behind `@`. */
  readonly fork: string | undefined;
  /** Whether the network was named, and not left to the default. */
  readonly isNetworkGiven: boolean;
  /** How many accounts of a new dev chain have WAVES. */
  readonly accounts: number;
  /** When a dev chain gets blocks, as far as the caller says so. */
  readonly pace: { readonly automine?: false; readonly intervalMs?: number | null };
  /** Nothing but what went wrong and that it serves. */
  readonly isQuiet: boolean;
  /** What is said comes as lines of JSON. */
  readonly isJson: boolean;
  /** Undefined: nobody looks into the runtime. */
  readonly inspectorPort: number | undefined;
  readonly isVersion: boolean;
  readonly isHelp: boolean;
}

/**
 * Reads the command line.
 * @param args without the names of the program and the script
 * @param home how the command is called in what is said of a flag, and whether it makes dev chains by itself
 * @throws UsageError naming the flag, what was given and what was expected
 */
export function parseStartFlags(
  args: readonly string[],
  home: { readonly command: string; readonly isDevByDefault: boolean } = {
    command: "npm start",
    isDevByDefault: false,
  },
): StartFlags {
  const given = readFlags(args, home.command);
  const parsed = startFlags.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const flag = String(issue?.path[0]);
    throw new UsageError(
      `--${flag} wants ${issue?.message}, but ${JSON.stringify(given[flag as FlagName])} was given.`,
    );
  }
  const flags = parsed.data;
  if (flags.memory && flags.data !== undefined) {
    throw new UsageError("--memory keeps no state and --data names a place to keep it: give one of them.");
  }
  const isAboutDev = flags.json || flags.interval !== undefined || flags["no-automine"];
  // Nobody has said it: flags that only a dev chain has ask for one, and without them it depends on the network.
  const isUnsaid = home.isDevByDefault && !flags.dev && !flags["no-dev"];
  const isFork = flags.fork !== undefined;
  const namesPeers = (flags.peers ?? NO_PEERS) !== NO_PEERS;
  const isAboutPeers = namesPeers || (flags["p2p-port"] ?? 0) > 0 || flags.light;
  const unsaid = isAboutDev ? true : isAboutPeers ? false : undefined;
  const isDevChain = isFork || (isUnsaid ? unsaid : flags.dev);
  if (isDevChain && isAboutPeers) {
    const flag = namesPeers ? "peers" : flags.light ? "light" : "p2p-port";
    const chain = isFork ? "A fork" : "A dev chain";
    throw new UsageError(`${chain} is nobody else's, and has no peers: give it without --${flag}.`);
  }
  if (isFork && flags["no-dev"]) throw new UsageError("--fork makes a dev chain, and --no-dev none: give one of them.");
  if (isFork && flags.import !== undefined)
    throw new UsageError("--fork goes on from a block of its network, and --import from the first: give one of them.");
  if (flags.json && isDevChain === false) throw new UsageError("--json is the log of a dev chain: give --dev with it.");
  if (flags["to-height"] !== undefined && flags.import === undefined) {
    throw new UsageError("--to-height says where an import stops: give --import FILE with it.");
  }
  if (flags.snapshots !== undefined && flags.import === undefined) {
    throw new UsageError("--snapshots goes with the blocks of an import: give --import FILE with it.");
  }
  if (flags["checkpoint-digest"] !== undefined && flags.checkpoint === undefined)
    throw new UsageError("--checkpoint-digest says which checkpoint to take: give --checkpoint FILE with it.");
  if (flags["checkpoint-past"] !== undefined && flags["export-checkpoint"] === undefined)
    throw new UsageError("--checkpoint-past says what is written: give --export-checkpoint FILE with it.");
  const isAboutCheckpoints = flags.checkpoint !== undefined || flags["export-checkpoint"] !== undefined;
  if (isAboutCheckpoints && isDevChain === true)
    throw new UsageError("A dev chain has no checkpoints: npm run dev has dump and load for it.");
  if (isDevChain === false && isAboutDev) {
    const flag = flags["no-automine"] ? "no-automine" : "interval";
    throw new UsageError(`--${flag} says when a dev chain gets blocks: give --dev with it.`);
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
    pace: {
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
      if (token.value !== undefined)
        throw new UsageError(`--${token.name} takes no value, but "${token.value}" was given.`);
      given[token.name] = true;
      // Of a flag and its opposite the last one counts.
      if (token.name === "dev" || token.name === "no-dev") delete given[token.name === "dev" ? "no-dev" : "dev"];
    } else {
      const isNextFlag = token.inlineValue === false && token.value.startsWith("--");
      if (token.value === undefined || isNextFlag) throw new UsageError(`--${token.name} wants a value after it.`);
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
