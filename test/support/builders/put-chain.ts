/** Read models for tests that show a chain without having followed one. */
import type { DatabaseSync } from "node:sqlite";
import { chainTable, identityOf } from "../../../src/tables/chain.ts";
import { putRows } from "../../../verification/sqlite/d1-double.ts";

/** Makes a read model show a chain. @param genesis as `genesisText` */
export function putChain(
  sqlite: DatabaseSync,
  {
    genesis = "",
    ...row
  }: {
    readonly height: number;
    readonly finalizedHeight?: number;
    readonly genesis?: string;
    readonly identity?: string;
    readonly version?: string;
    readonly sequence?: number;
    readonly epoch?: number;
    readonly isWhole?: boolean;
    readonly progress?: string;
  },
): void {
  const shown = {
    version: "tip",
    epoch: 0,
    publishedAt: 0,
    finalizedHeight: 1,
    identity: identityOf(genesis, "drawn", 1),
  };
  const known = { sequence: 0, batch: "batch", isWhole: true, progress: undefined };
  putRows(sqlite, chainTable, [{ id: 1, ...shown, ...known, ...row }]);
}
