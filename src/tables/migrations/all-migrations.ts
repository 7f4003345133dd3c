/** All changes of the schema, in order. Version 1 is the schema of releases without migrations. */
import { branchBlocks } from "./0002-branch-blocks.ts";
import { partsLimitsAndPublication } from "./0003-parts-limits-and-publication.ts";
import { transactionsByLocation } from "./0004-transactions-by-location.ts";
import { aliasesTakenOver } from "./0005-aliases-taken-over.ts";
import { transactionsAsJson } from "./0006-transactions-as-json.ts";
import { challenges } from "./0007-challenges.ts";
import { snapshotsOfBranches } from "./0008-snapshots-of-branches.ts";
import { commitments } from "./0009-commitments.ts";
import { liquidData } from "./0010-liquid-data.ts";
import { formsOfLiquidBlock } from "./0011-forms-of-the-liquid-block.ts";
import { idsOfMicroBlocks } from "./0012-ids-of-micro-blocks.ts";
import { rememberedSpellings } from "./0013-remembered-spellings.ts";
import type { Migration } from "./migration.ts";

/** New ones go to the end. */
export const migrations: readonly Migration[] = [
  branchBlocks,
  partsLimitsAndPublication,
  transactionsByLocation,
  aliasesTakenOver,
  transactionsAsJson,
  challenges,
  snapshotsOfBranches,
  commitments,
  liquidData,
  formsOfLiquidBlock,
  idsOfMicroBlocks,
  rememberedSpellings,
];

/** Version of the tables after these migrations. */
export function versionAfter(known: readonly Migration[]): number {
  return 1 + known.length;
}

/** Version of the tables as declared. */
export const SCHEMA_VERSION = versionAfter(migrations);
