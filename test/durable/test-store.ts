/** A store for tests that need no workerd. */
import { StateStore } from "../../durable/state/state-store.ts";
import { stateDatabase } from "../../scripts/tools/sqlite/node-database.ts";
import { type TestDatabase, testDatabase } from "../../scripts/tools/sqlite/test-database.ts";

/** A store over ChainState's tables, all of them empty. */
export function testStore(): { readonly store: StateStore; readonly database: TestDatabase } {
  const database = testDatabase(stateDatabase());
  return { store: new StateStore(database), database };
}
