/** Files of a node's databases in the local runtime. */
import { readdirSync } from "node:fs";
import path from "node:path";

export interface DatabaseFiles {
  readonly chainState: string;
  readonly readModel: string;
}

/** @param storagePath folder `storage` of a data directory @throws Error the node has not created them yet */
export function databaseFiles(storagePath: string): DatabaseFiles {
  return {
    chainState: databaseIn(path.join(storagePath, "do/node-ChainState")),
    readModel: databaseIn(path.join(storagePath, "d1/miniflare-D1DatabaseObject")),
  };
}

/** The runtime names the file after the object. */
function databaseIn(folder: string): string {
  const file = readdirSync(folder).find((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  if (file === undefined) throw new Error(`${folder} has no database`);
  return path.join(folder, file);
}
