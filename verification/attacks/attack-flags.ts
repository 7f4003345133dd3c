/** The flags of `npm run attack`. */
import { parsedArguments } from "../../local/cli/parsed-arguments.ts";
import { UsageError } from "../../local/cli/usage-error.ts";
import { wholeNumber } from "../../local/cli/whole-number.ts";

export interface AttackFlags {
  /** Names of the attacks to run. */
  readonly names: readonly string[];
  readonly seed: number;
  /** Duration of each phase: the reads before an attack, the attack, its honest load. */
  readonly seconds: number;
  readonly connections: number;
  readonly isHelp: boolean;
}

/** @param known attacks by name, with their descriptions */
export function attackHelp(known: readonly { readonly name: string; readonly about: string }[]): string {
  const width = Math.max(...known.map(({ name }) => name.length));
  const list = known.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join("\n");
  return `npm run attack [-- [NAME...] FLAGS]   attacks on a started node while others read

${list}

  --seed N         other seeds draw other requests, default 1
  --seconds S      how long each attack and each honest load lasts, default 10
  --connections N  requests at a time, default 40
  --help           this text

Without a name all attacks run, on Linux. Exit code 1 when reads wait more than twice as long as without the attack, or as
under as many honest requests where that is fairer; when one fails, the node is not healthy for 5 s, a block is missed,
none comes afterwards, or memory grows too much.
`;
}

/** @throws UsageError */
export function parseAttackFlags(args: readonly string[], known: readonly string[]): AttackFlags {
  const { values, positionals } = readFlags(args);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no attack "${unknown}"; there are ${known.join(", ")}.`);
  return {
    names: positionals.length === 0 ? known : positionals,
    seed: wholeNumber("seed", values.seed, { digits: 9 }),
    seconds: wholeNumber("seconds", values.seconds, { digits: 5 }),
    connections: wholeNumber("connections", values.connections, { digits: 4 }),
    isHelp: values.help,
  };
}

function readFlags(args: readonly string[]) {
  return parsedArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      seed: { type: "string", default: "1" },
      seconds: { type: "string", default: "10" },
      connections: { type: "string", default: "40" },
      help: { type: "boolean", default: false },
    },
  });
}
