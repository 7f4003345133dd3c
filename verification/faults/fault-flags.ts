/** The flags of `npm run faults`. */
import { parsedArguments } from "../../local/cli/parsed-arguments.ts";
import { UsageError } from "../../local/cli/usage-error.ts";
import { wholeNumber } from "../../local/cli/whole-number.ts";

export const faultHelp = `npm run faults [-- FLAGS]   a node under load, and faults that a seed draws; afterwards everything must agree

  --seed N      other seeds draw other faults; by default one that the clock gives
  --seconds S   how long runs are begun, default 60: half of the time for simulated nodes, then for started ones
  --faults N    no further run once so many faults have happened
  --only WHICH  simulated: nodes in this process, the same at each call with the same seed;
                started: nodes as \`npm start\` starts them, killed at random instants
  --run N       only the simulated run of this number, with all that happens in it
  --help        this text
`;

export const layers = ["simulated", "started"] as const;
export type Layer = (typeof layers)[number];

export interface FaultFlags {
  readonly seed: number;
  readonly seconds: number;
  readonly faults: number;
  readonly only: Layer | undefined;
  readonly run: number | undefined;
  readonly isHelp: boolean;
}

/** @throws UsageError */
export function parseFaultFlags(args: readonly string[]): FaultFlags {
  const values = readFlags(args);
  const only = layers.find((layer) => layer === values.only);
  if (values.only !== undefined && only === undefined)
    throw new UsageError(`--only expects ${layers.join(" or ")}, got "${values.only}".`);
  return {
    seed: values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber("seed", values.seed, { digits: 9 }),
    seconds: wholeNumber("seconds", values.seconds, { digits: 9 }),
    faults:
      values.faults === undefined ? Number.POSITIVE_INFINITY : wholeNumber("faults", values.faults, { digits: 9 }),
    only,
    run: values.run === undefined ? undefined : wholeNumber("run", values.run, { digits: 9 }),
    isHelp: values.help,
  };
}

function readFlags(args: readonly string[]) {
  return parsedArguments({
    args: [...args],
    options: {
      seed: { type: "string" },
      seconds: { type: "string", default: "60" },
      faults: { type: "string" },
      only: { type: "string" },
      run: { type: "string" },
      help: { type: "boolean", default: false },
    },
  }).values;
}
