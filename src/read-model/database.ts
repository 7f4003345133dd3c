import type { Statement } from "./query.ts";

/** Methods of a D1 database that reading needs. */
export type Database = Pick<D1Database, "prepare" | "batch" | "withSession">;

/** Connection for reads: the database itself, or a session that may switch copies without going back in time. */
export type Session = Pick<D1DatabaseSession, "prepare" | "batch"> & Partial<Pick<D1DatabaseSession, "getBookmark">>;

/** @param from start of the session. For a database without copies, a session would only add cost. */
export function sessionOf(
  database: Database,
  { hasCopies, from }: { readonly hasCopies: boolean; readonly from: D1SessionBookmark | D1SessionConstraint },
): Session {
  return hasCopies ? database.withSession(from) : database;
}

export function preparedOn(session: Session, statements: readonly Statement[]): D1PreparedStatement[] {
  return statements.map(({ sql, bindings }) => session.prepare(sql).bind(...bindings));
}

/** Rows read, as Cloudflare counts and charges them. */
export function rowsReadBy(result: D1Result<unknown> | undefined): number {
  return result?.meta.rows_read ?? 0;
}
