/** Kinds of requests with every key requested only once. */
import type { ColdKeys } from "./reads-world.ts";

export interface ColdRow {
  readonly name: string;
  paths(keys: ColdKeys): readonly string[];
}

export const coldRows: readonly ColdRow[] = [
  { name: "cold balance", paths: ({ addresses }) => addresses.map((address) => `/addresses/balance/${address}`) },
  {
    name: "cold data key",
    paths: ({ entries }) => entries.map(([address, key]) => `/addresses/data/${address}/${key}`),
  },
  {
    name: "cold transaction info",
    paths: ({ transactionIds }) => transactionIds.map((id) => `/transactions/info/${id}`),
  },
];
