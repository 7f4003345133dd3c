/**
 * What a checkpoint says of itself: of which chain and height it is, and what each of its parts must be. Its digest stands for the whole
 * of it: who knows the digest from somebody whom they trust need not trust whoever has the file.
 */
import * as z from "zod";
import { sha256 } from "../../src/crypto/hash.ts";
import { decodeHex, encodeHex } from "../../src/crypto/hex.ts";
import type { Digest } from "../../src/crypto/identities.ts";
import { platformLimits } from "../../src/platform/limits.ts";

/** What the first words of a manifest are, and its form: another form has another number. */
const FORMAT = "waves-edge-node checkpoint";
export const CHECKPOINT_VERSION = 1;

const digestHex = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const headSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(CHECKPOINT_VERSION),
  /** Version of the tables. */
  schema: z.int().positive(),
  /** As `genesisText`. */
  genesis: z.string(),
  height: z.int().min(2),
  /** Of the block at the height, base58. */
  blockId: z.string(),
  /** After the block, as feature 22 has it, whether or not the header carries it. */
  stateHash: digestHex,
  /** Of the first block that it carries: 1, if whoever wrote it had all and left none out. */
  firstHeight: z.int().positive(),
  finalizedHeight: z.int().positive(),
  /** How many blocks back balances are answered: `db.max-rollback-depth` of whoever wrote it. */
  historyBlocks: z.int().positive(),
});

const partSchema = z.strictObject({
  table: z.string(),
  rows: z.int().positive(),
  /** Of the rows' text, UTF-8. */
  bytes: z.int().positive().max(platformLimits.valueBytes),
  /** SHA-256 of that text. */
  digest: digestHex,
});

const manifestSchema = z.strictObject({
  ...headSchema.shape,
  /** Tables that it has rows of, and the columns of each row in their order. */
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()), rows: count })),
  parts: z.array(partSchema),
});

/** What is known before any part is made. */
export type CheckpointHead = Readonly<z.output<typeof headSchema>>;
/** A part: rows of one table, in the order of the table's key. */
export type PartEntry = Readonly<z.output<typeof partSchema>>;
export type Manifest = Readonly<z.output<typeof manifestSchema>>;
export type TableEntry = Manifest["tables"][number];

/** The file is none, is damaged, or is not for this node. The message is a sentence without its end. */
export class CheckpointRefused extends Error {
  override readonly name = "CheckpointRefused";
}

export function checkpointHead(facts: Omit<CheckpointHead, "format" | "version">): CheckpointHead {
  return { format: FORMAT, version: CHECKPOINT_VERSION, ...facts };
}

/** The text of which the digest is made. @param parts in the order in which they were made */
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
  const named = z.object({ format: z.literal(FORMAT), version: z.number() }).safeParse(found).data;
  if (named === undefined) throw new CheckpointRefused("the file is no checkpoint");
  if (named.version !== CHECKPOINT_VERSION)
    throw new CheckpointRefused(
      `the checkpoint has form ${named.version}, and this release reads form ${CHECKPOINT_VERSION}`,
    );
  const { data, error } = manifestSchema.safeParse(found);
  if (data === undefined) {
    const [issue] = error.issues;
    throw new CheckpointRefused(`the checkpoint says nothing sensible of ${issue?.path.join(".")}: ${issue?.message}`);
  }
  return data;
}

/** What stands for a whole checkpoint. @param text of its manifest @returns hex */
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
