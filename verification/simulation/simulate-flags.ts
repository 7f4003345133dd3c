/** The flags of `npm run simulate`. */

import { parsedArguments } from "../../local/cli/parsed-arguments.ts";
import { UsageError } from "../../local/cli/usage-error.ts";
import { wholeNumber } from "../../local/cli/whole-number.ts";
import type { Era } from "./network/network-world.ts";

export const simulateHelp = `npm run simulate [-- FLAGS]   networks of nodes in this process, and faults that a seed draws; in the end all must agree

  --seeds N     how many networks, default 10
  --first N     number of the first one, default 1: the seeds of a longer run in slices
  --name TEXT   other names draw other networks; by default one that the clock gives
  --nodes N     of each network, default 5
  --blocks N    height up to which there are faults, default 300
  --hostile     one more node means no good
  --committees  4 to 128 generators on 4 to 9 nodes by the rules of finality alone, without transactions, storage and sockets;
                with --hostile nodes that have less than a third mean no good
  --slow        of committees: messages take up to a fifth of the time between blocks, and one cut comes on top of another
  --era TEXT    only networks of these rules: current, committees, growing or old; by default drawn
  --seed TEXT   only the network of this seed (NAME/N), with all that happens in it
  --help        this text
`;

export interface SimulateFlags {
  readonly seeds: number;
  readonly first: number;
  readonly name: string;
  readonly nodes: number;
  readonly blocks: number;
  readonly isHostile: boolean;
  /** Undefined: drawn. */
  readonly era: Era | undefined;
  readonly isOfCommittees: boolean;
  readonly isSlow: boolean;
  readonly seed: string | undefined;
  readonly isHelp: boolean;
}

/** @throws UsageError */
export function parseSimulateFlags(args: readonly string[]): SimulateFlags {
  const values = readFlags(args);
  return {
    seeds: wholeNumber("seeds", values.seeds, { digits: 9, least: 1 }),
    first: wholeNumber("first", values.first, { digits: 9, least: 0 }),
    name: values.name ?? String(Date.now() % 1_000_000),
    nodes: wholeNumber("nodes", values.nodes, { digits: 9, least: 2 }),
    blocks: wholeNumber("blocks", values.blocks, { digits: 9, least: 2 }),
    isHostile: values.hostile,
    era: eraOf(values.era),
    isOfCommittees: values.committees,
    isSlow: values.slow,
    seed: values.seed,
    isHelp: values.help,
  };
}

const eras: Readonly<Record<Era, true>> = { current: true, committees: true, growing: true, old: true };

/** @throws UsageError */
function eraOf(era: string | undefined): Era | undefined {
  if (era === undefined || Object.hasOwn(eras, era)) return era as Era | undefined;
  throw new UsageError(`--era expects one of ${Object.keys(eras).join(", ")}, got "${era}".`);
}

function readFlags(args: readonly string[]) {
  return parsedArguments({
    args: [...args],
    options: {
      seeds: { type: "string", default: "10" },
      first: { type: "string", default: "1" },
      name: { type: "string" },
      nodes: { type: "string", default: "5" },
      blocks: { type: "string", default: "300" },
      hostile: { type: "boolean", default: false },
      committees: { type: "boolean", default: false },
      era: { type: "string" },
      slow: { type: "boolean", default: false },
      seed: { type: "string" },
      help: { type: "boolean", default: false },
    },
  }).values;
}
