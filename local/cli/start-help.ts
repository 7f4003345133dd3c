/** Text of `--help`, generated from the table of flags. */
import { z } from "zod";
import { secrets, variables } from "../../src/env.ts";
import { type FlagName, flagNames, flagValue, startFlags } from "./start-flags.ts";

/** Order of precedence of a setting's sources. */
const precedence = "Precedence: flag > environment > --secrets file > settings file > network default.";

/** Flag as help and documents show it. */
interface FlagHelp {
  /** `--port N` */
  readonly usage: string;
  readonly about: string;
  /** Value as typed; undefined: none. */
  readonly byDefault: string | undefined;
}

function flagHelps(): readonly FlagHelp[] {
  return flagNames.map((name) => {
    const value = flagValue(name);
    const byDefault = defaultOf(name);
    return {
      usage: value === undefined ? `--${name}` : `--${name} ${value}`,
      about: String(startFlags.shape[name].meta()?.["about"]),
      byDefault: typeof byDefault === "boolean" || byDefault === undefined ? undefined : String(byDefault),
    };
  });
}

function defaultOf(name: FlagName): unknown {
  const schema: z.ZodType = startFlags.shape[name];
  return schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
}

const COLUMN = 28;
const WIDTH = 120;

/** @param usage the command with a placeholder for its flags */
export function startHelp(usage = "npm start [-- FLAGS]"): string {
  const flags = flagHelps().map(({ usage, about, byDefault }) =>
    row(usage, byDefault === undefined ? about : `${about} (default ${byDefault})`),
  );
  // The network is chosen by a flag.
  const { NETWORK: _, ...others } = variables;
  const named = Object.entries({ ...secrets, ...others }).map(([name, about]) => row(name, about));
  return `${usage.padEnd(COLUMN + 2)}a node on this machine

${flags.join("\n")}

In the environment; the first two also in the file that --secrets names:

${named.join("\n")}

${wrapped(precedence, WIDTH)}
Every setting: docs/configuration.md
`;
}

function row(name: string, about: string): string {
  return `  ${name.padEnd(COLUMN)}${about}`;
}

function wrapped(text: string, width: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) as string;
    if (line.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
