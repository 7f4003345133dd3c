/** Chunks of an extension until the last one has arrived: a few stay in memory, more go to the disk. */
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { platformLimits } from "../../../src/platform/limits.ts";
import { chainStateBytes } from "../../../src/platform/memory-budget.ts";
import { heldPartTable } from "../../../src/tables/held-parts.ts";
import { createSql } from "../../../src/tables/schema/schema-text.ts";
import type { RowOf } from "../../../src/tables/schema/table.ts";
import { insertRow, queryRows } from "../../sql/plain-rows.ts";
import type { SqlDatabase } from "../../sql/sql-database.ts";
import type { ReceivedChunk } from "./received-branch.ts";

/** Maximum size of the piece in a row: the rest is for the flags of verified signatures, a bit for each transaction. */
const CHUNK_BYTES = platformLimits.valueBytes - 200_000;

export class ExtensionBuffer {
  readonly #sql: SqlDatabase;
  #inMemory: ReceivedChunk[] = [];
  #chunks = 0;
  #bytes = 0;

  /** @param sql may have a table that an earlier instance left */
  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  /** Size of the blocks and their snapshots. */
  get bytes(): number {
    return this.#bytes;
  }

  add(part: ReceivedChunk): void {
    this.#bytes += sizeOf(part);
    this.#inMemory.push(part);
    if (this.#inMemory.reduce((sum, held) => sum + sizeOf(held), 0) <= chainStateBytes.heldParts) return;
    if (this.#chunks === 0) this.#makeTable();
    for (const held of this.#inMemory) this.#write(held);
    this.#inMemory = [];
  }

  /** Chunks in their order. One stored chunk is in memory at a time, besides those that always are. */
  *all(): Iterable<ReceivedChunk> {
    for (let number = 1; number <= this.#chunks; ) {
      const pieces = this.#readReceived(number);
      number += pieces.length;
      const snapshots = pieces.flatMap((piece) => (piece.snapshots === undefined ? [] : [piece.snapshots]));
      yield {
        blocks: concatBytes(...pieces.map(({ blocks }) => blocks)),
        verified: pieces[0]?.verified ?? "",
        ...(snapshots.length > 0 && { snapshots: concatBytes(...snapshots) }),
      };
    }
    yield* this.#inMemory;
  }

  /** Drops all chunks. */
  clear(): void {
    if (this.#chunks > 0) this.#dropTable();
    this.#inMemory = [];
    this.#chunks = 0;
    this.#bytes = 0;
  }

  #makeTable(): void {
    this.#dropTable();
    for (const statement of createSql(heldPartTable, "object")) this.#sql.exec(statement);
  }

  #dropTable(): void {
    this.#sql.exec(`DROP TABLE IF EXISTS ${heldPartTable.name}`);
  }

  #write({ blocks, verified, snapshots }: ReceivedChunk): void {
    const row = { blocks: new Uint8Array(0), verified: undefined, snapshots: undefined };
    for (const [from, piece] of chunksOf(blocks))
      insertRow(this.#sql, heldPartTable, {
        ...row,
        number: ++this.#chunks,
        blocks: piece,
        verified: from === 0 ? verified : undefined,
      });
    if (snapshots === undefined) return;
    for (const [, piece] of chunksOf(snapshots))
      insertRow(this.#sql, heldPartTable, { ...row, number: ++this.#chunks, snapshots: piece });
  }

  /** Pieces of the chunk that begins with the piece number `first`. */
  #readReceived(first: number): readonly Pick<RowOf<typeof heldPartTable>, "blocks" | "verified" | "snapshots">[] {
    const tail = `WHERE number >= ?1 AND number < COALESCE(
      (SELECT MIN(number) FROM held_part WHERE number > ?1 AND verified IS NOT NULL), ?2) ORDER BY number`;
    return queryRows(this.#sql, heldPartTable, tail, first, this.#chunks + 1);
  }
}

function sizeOf({ blocks, snapshots }: ReceivedChunk): number {
  return blocks.length + (snapshots?.length ?? 0);
}

/** Pieces that fit into rows, each with its offset; an empty piece if there are no bytes. */
function* chunksOf(bytes: Uint8Array): Iterable<readonly [from: number, piece: Uint8Array]> {
  for (let from = 0; from === 0 || from < bytes.length; from += CHUNK_BYTES)
    yield [from, bytes.subarray(from, from + CHUNK_BYTES)];
}
