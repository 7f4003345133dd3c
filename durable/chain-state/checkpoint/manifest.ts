/**
 * Manifest of a checkpoint: its chain and height, and the digest of each part. The digest of the manifest stands for
 * the whole: with a digest from a trusted source the source of the file need not be trusted.
 */
import * as z from "zod";
import { sha256 } from "../../../src/crypto/hash.ts";
import { decodeHex, encodeHex } from "../../../src/crypto/hex.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
import { platformLimits } from "../../../src/platform/limits.ts";

/** First member of a manifest, and the version of its format. */
const FORMAT = "waves-edge-node checkpoint";
export const CHECKPOINT_VERSION = 1;

const digestHex = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const headSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(CHECKPOINT_VERSION),
  /** Version of the tables. */
  schema: z.int().positive(),
  /** In the form of `genesisText`. */
  genesis: z.string(),
  height: z.int().min(2),
  /** Id of the block at the height, base58. */
  blockId: z.string(),
  /** State hash after the block by feature 22, whether or not the header carries it. */
  stateHash: digestHex,
  /** First block in the checkpoint: 1 if the exporting node had all blocks and left none out. */
  firstHeight: z.int().positive(),
  finalizedHeight: z.int().positive(),
  /** Number of past blocks with known balances: `db.max-rollback-depth` of the exporting node. */
  historyBlocks: z.int().positive(),
});

const partSchema = z.strictObject({
  table: z.string(),
  rows: z.int().positive(),
  /** Size of the rows' text, UTF-8. */
  bytes: z.int().positive().max(platformLimits.valueBytes),
  /** SHA-256 of that text. */
  digest: digestHex,
});

const manifestSchema = z.strictObject({
  ...headSchema.shape,
  /** Tables of the checkpoint, with the columns of a row in order. */
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()), rows: count })),
  parts: z.array(partSchema),
});

/** Members that are known before any part is written. */
export type CheckpointHead = Readonly<z.output<typeof headSchema>>;
/** Part: rows of one table, in the order of the table's key. */
export type PartEntry = Readonly<z.output<typeof partSchema>>;
export type Manifest = Readonly<z.output<typeof manifestSchema>>;
export type TableEntry = Manifest["tables"][number];

/** The file is no checkpoint, is damaged, or is not for this node. The message has no final period. */
export class CheckpointRefused extends Error {
  override readonly name = "CheckpointRefused";
}

export function checkpointHead(head: Omit<CheckpointHead, "format" | "version">): CheckpointHead {
  return { format: FORMAT, version: CHECKPOINT_VERSION, ...head };
}

/** Text of the manifest, from which the digest is computed. @param parts in order of writing */
export function encodeManifest(
  head: CheckpointHead,
  tables: readonly Omit<TableEntry, "rows">[],
  parts: readonly PartEntry[],
): string {
  const rowsOf = (name: string): number =>
    parts.reduce((sum, { table, rows }) => (table === name ? sum + rows : sum), 0);
  const { format, version, schema, genesis, height, blockId, stateHash, ...more } = head;
  return JSON.stringify({
    ...{ format, version, schema, genesis, height, blockId, stateHash, ...more },
    tables: tables.map(({ name, columns }) => ({ name, columns, rows: rowsOf(name) })),
    parts: parts.map(({ table, rows, bytes, digest }) => ({ table, rows, bytes, digest })),
  });
}

/** @throws CheckpointRefused */
export function parseManifest(text: string): Manifest {
  const found = parsed(text);
  const header = z.object({ format: z.literal(FORMAT), version: z.number() }).safeParse(found).data;
  if (header === undefined) throw new CheckpointRefused("the file is no checkpoint");
  if (header.version !== CHECKPOINT_VERSION)
    throw new CheckpointRefused(
      `the checkpoint has format version ${header.version}, and this release reads version ${CHECKPOINT_VERSION}`,
    );
  const { data, error } = manifestSchema.safeParse(found);
  if (data === undefined) {
    const [issue] = error.issues;
    throw new CheckpointRefused(`the checkpoint is invalid at ${issue?.path.join(".")}: ${issue?.message}`);
  }
  return data;
}

/** Digest that stands for a whole checkpoint. @param text of its manifest @returns hex */
export function checkpointDigest(text: string): string {
  return textDigest(new TextEncoder().encode(text));
}

/** SHA-256 as hex. */
export function textDigest(bytes: Uint8Array): string {
  return encodeHex(sha256(bytes));
}

export function stateHashText(stateHash: Digest): string {
  return encodeHex(stateHash);
}

export function isStateHash(text: string, stateHash: Uint8Array): boolean {
  return encodeHex(stateHash) === text && decodeHex(text).length === stateHash.length;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CheckpointRefused("the file is no checkpoint", { cause });
  }
}
