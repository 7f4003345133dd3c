/** The flags of `npm run simulate`. */
import { parsedArguments } from "./parsed-arguments.ts";
import { wholeNumber } from "./whole-number.ts";

export const simulateHelp = `npm run simulate [-- FLAGS]   networks of nodes in this process, and faults that a seed draws; in the end all must agree

  --seeds N     how many networks, default 10
  --first N     number of the first one, default 1: the seeds of a longer run in slices
  --name TEXT   other names draw other networks; by default one that the clock gives
  --nodes N     of each network, default 5
  --blocks N    height up to which there are faults, default 300
  --hostile     one more node means no good
  --committees  4 to 128 generators on 4 to 9 nodes by the rules of finality alone, without transactions, storage and sockets;
                with --hostile nodes that have less than a third mean no good
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
  readonly isOfCommittees: boolean;
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
    isOfCommittees: values.committees,
    seed: values.seed,
    isHelp: values.help,
  };
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
      seed: { type: "string" },
      help: { type: "boolean", default: false },
    },
  }).values;
}
