/**
 * The flags of `npm start`.
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { findNearestWord } from "./nearest-word.ts";
import { UsageError } from "./usage-error.ts";

export const startHelp = `npm start [-- FLAGS]       run a node locally, REST on http://127.0.0.1:6869

  --network NAME|FILE      private (default), mainnet, testnet, stagenet, or a network.json
  --port N                 port of the REST interface, default 6869 (0: any free one)
  --host A                 address to listen on, default 127.0.0.1
  --data DIR               persistent state, default .data/<network>
  --memory                 keep no state
  --import FILE            apply the blocks in FILE first, with full validation, then serve
  --to-height N            stop importing at that height
  --no-mining              produce no blocks
  --inspect PORT           let a debugger or a profiler of this machine connect there
  --peers HOST:PORT,...    connect to these (not in this version)
  --light                  apply snapshots, no validation of transactions (not in this version)
  --help                   this text
`;

export const flagTypes = {
  network: "string",
  port: "string",
  host: "string",
  data: "string",
  memory: "boolean",
  import: "string",
  "to-height": "string",
  "no-mining": "boolean",
  inspect: "string",
  peers: "string",
  light: "boolean",
  help: "boolean",
} as const;

export type FlagName = keyof typeof flagTypes;

const wholeNumber = (expected: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);

const text = (expected: string) => z.string().min(1, expected);

const flagValues = z.object({
  network: text("the name of a network or a network.json").default("private"),
  port: wholeNumber("a whole number from 0 to 65535", 0, 65_535).default(6869),
  host: z
    .string()
    .regex(/^[0-9A-Za-z.:_-]+$/, "an address or a host name")
    .default("127.0.0.1"),
  data: text("a directory").optional(),
  memory: z.boolean().default(false),
  import: text("a block file").optional(),
  "to-height": wholeNumber("a height: a whole number from 1", 1, Number.MAX_SAFE_INTEGER).optional(),
  "no-mining": z.boolean().default(false),
  inspect: wholeNumber("a whole number from 1 to 65535", 1, 65_535).optional(),
  help: z.boolean().default(false),
});

/** What a start was asked to do. */
export interface StartFlags {
  /** Name of a network or path of a `network.json`. */
  readonly network: string;
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** Undefined: the default for the network. */
  readonly dataDirectory: string | undefined;
  readonly isInMemory: boolean;
  readonly importFile: string | undefined;
  /** Undefined: to the end of the file. */
  readonly importToHeight: number | undefined;
  readonly isMining: boolean;
  /** Undefined: nobody looks into the runtime. */
  readonly inspectorPort: number | undefined;
  readonly isHelp: boolean;
}

/**
 * Reads the command line.
 * @param args without the names of the program and the script
 * @throws UsageError naming the flag, what was given and what was expected
 */
export function parseStartFlags(args: readonly string[]): StartFlags {
  const given = readFlags(args);
  for (const flag of ["peers", "light"] as const) {
    if (flag in given)
      throw new UsageError(`--${flag} is not in this version: it comes with the peer-to-peer protocol.`);
  }
  const parsed = flagValues.safeParse(given);
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
  if (flags["to-height"] !== undefined && flags.import === undefined) {
    throw new UsageError("--to-height says where an import stops: give --import FILE with it.");
  }
  return {
    network: flags.network,
    port: flags.port,
    host: flags.host,
    dataDirectory: flags.data,
    isInMemory: flags.memory,
    importFile: flags.import,
    importToHeight: flags["to-height"],
    isMining: !flags["no-mining"],
    inspectorPort: flags.inspect,
    isHelp: flags.help,
  };
}

function readFlags(args: readonly string[]): Partial<Record<FlagName, string | boolean>> {
  const options = Object.fromEntries(Object.entries(flagTypes).map(([name, type]) => [name, { type }]));
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given: Partial<Record<FlagName, string | boolean>> = {};
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") throw new UsageError(`"${token.value}" is not a flag: flags begin with --.`);
    if (!isFlagName(token.name)) throw unknownFlag(token.rawName, token.name);
    if (flagTypes[token.name] === "boolean") {
      if (token.value !== undefined)
        throw new UsageError(`--${token.name} takes no value, but "${token.value}" was given.`);
      given[token.name] = true;
    } else {
      const isNextFlag = token.inlineValue === false && token.value.startsWith("--");
      if (token.value === undefined || isNextFlag) throw new UsageError(`--${token.name} wants a value after it.`);
      given[token.name] = token.value;
    }
  }
  return given;
}

function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(flagTypes, name);
}

function unknownFlag(rawName: string, name: string): UsageError {
  const nearest = findNearestWord(name, Object.keys(flagTypes));
  const hint = nearest === undefined ? "--help lists the flags" : `did you mean --${nearest}?`;
  return new UsageError(`${rawName} is not a flag of npm start: ${hint}${nearest === undefined ? "." : ""}`);
}
