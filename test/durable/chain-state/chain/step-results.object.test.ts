/** Results of long steps in the storage of a Durable Object. */
import { reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { StepResults } from "../../../../durable/chain-state/chain/step-results.ts";
import { WorkSlice } from "../../../../durable/chain-state/chain/work-slice.ts";
import type { SqlDatabase } from "../../../../durable/sql/sql-database.ts";
import { modularPower } from "../../../../src/crypto/rsa/modular-power.ts";
import { CHAIN_STATE_NAME } from "../../../../src/env.ts";

afterEach(async () => {
  await reset();
});

/** Each call runs in another instance of the object, as after a reset. */
function inObject<Result>(run: (database: SqlDatabase) => Result): Promise<Result> {
  const stub = env.CHAIN_STATE.getByName(CHAIN_STATE_NAME);
  return runInDurableObject(stub, (_, { storage }) =>
    run({
      exec: (query, ...bindings) => storage.sql.exec(query, ...bindings) as unknown as ReturnType<SqlDatabase["exec"]>,
      transaction: (change) => storage.transactionSync(change),
    }),
  );
}

const modulus = 2n ** 3_000n + 1n;
const exponent = 2n ** 2_999n - 1n;
const powerBy = (work: WorkSlice) => modularPower(3n, exponent, modulus, (step) => work.step(step));

test("results of one call are known to a later instance of the object, until they are cleared", async () => {
  const power = await inObject((database) => {
    const results = new StepResults(database);
    const work = new WorkSlice(1, results);
    const found = powerBy(work);
    results.add(work.found);
    return found;
  });
  expect(power).toBe(modularPower(3n, exponent, modulus));
  await inObject((database) => {
    const results = new StepResults(database);
    const work = new WorkSlice(1, results);
    expect([powerBy(work), work.spent, work.usesStored]).toEqual([power, 0, true]);
    results.clear();
  });
  await inObject((database) => {
    const work = new WorkSlice(1, new StepResults(database));
    expect(powerBy(work)).toBe(power);
    expect(work.spent).toBeGreaterThan(0);
  });
});
