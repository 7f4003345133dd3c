import type { DatabaseSync } from "node:sqlite";
import { compareReadModel } from "../../scripts/tools/sqlite/compare-read-model.ts";

/** Where a read model shows something else than ChainState's published rows, a line each. */
export function readModelDifferences(state: DatabaseSync, readModel: DatabaseSync): string[] {
  return compareReadModel(state, readModel).flatMap(({ table, differences }) =>
    differences.map((difference) => `${table}: ${difference}`),
  );
}
