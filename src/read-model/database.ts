import type { Statement } from "./query.ts";

/** The part of a D1 database that reading takes. */
export type Database = Pick<D1Database, "prepare" | "batch" | "withSession">;

/** What is read from: the database itself, or a session that goes from copy to copy without going back in time. */
export type Session = Pick<D1DatabaseSession, "prepare" | "batch"> & Partial<Pick<D1DatabaseSession, "getBookmark">>;

/** @param from where a session begins. Where the database has no copies, a session would cost and give nothing. */
export function sessionOf(
  database: Database,
  { hasCopies, from }: { readonly hasCopies: boolean; readonly from: D1SessionBookmark | D1SessionConstraint },
): Session {
  return hasCopies ? database.withSession(from) : database;
}

export function preparedOn(session: Session, statements: readonly Statement[]): D1PreparedStatement[] {
  return statements.map(({ sql, bindings }) => session.prepare(sql).bind(...bindings));
}

/** As Cloudflare counts them, and charges for them. */
export function rowsReadBy(result: D1Result<unknown> | undefined): number {
  return result?.meta.rows_read ?? 0;
}
