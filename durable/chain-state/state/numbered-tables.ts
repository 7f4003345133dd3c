/** Tables by the numbers under which the undo journal and the outbox name them. */
import type { Table } from "../../../src/tables/schema/table.ts";

export class NumberedTables {
  readonly all: readonly Table[];
  readonly #numbers: ReadonlyMap<Table, number>;

  /** @param tables a table's number is its index */
  constructor(tables: readonly Table[]) {
    this.all = tables;
    this.#numbers = new Map(tables.map((table, number) => [table, number]));
  }

  numberOf(table: Table): number {
    const number = this.#numbers.get(table);
    if (number === undefined) throw new Error(`table ${table.name} is not a state table`);
    return number;
  }

  /** @throws Error if a journal or an outbox names a table that does not exist */
  at(number: number): Table {
    const table = this.all[number];
    if (table === undefined) throw new Error(`there is no table ${number}`);
    return table;
  }
}
