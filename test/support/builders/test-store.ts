/** Store for tests without workerd. */
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import { stateDatabase } from "../../../verification/sqlite/node-database.ts";
import { type TestDatabase, testDatabase } from "../../../verification/sqlite/test-database.ts";

/** Store over ChainState's empty tables. */
export function testStore(): { readonly store: StateStore; readonly database: TestDatabase } {
  const database = testDatabase(stateDatabase());
  return { store: new StateStore(database), database };
}
