/** Store for tests without workerd. */
import { StateStore } from "../../durable/state/state-store.ts";
import { stateDatabase } from "../../scripts/tools/sqlite/node-database.ts";
import { type TestDatabase, testDatabase } from "../../scripts/tools/sqlite/test-database.ts";

/** Store over ChainState's empty tables. */
export function testStore(): { readonly store: StateStore; readonly database: TestDatabase } {
  const database = testDatabase(stateDatabase());
  return { store: new StateStore(database), database };
}
