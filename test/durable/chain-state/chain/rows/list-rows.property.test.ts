import fc from "fast-check";
import { expect, test } from "vitest";
import { addressOfPublicKey } from "../../../../../src/crypto/address.ts";
import type { PublicKey } from "../../../../../src/crypto/identities.ts";
import { chainVariants } from "../../../../../verification/chain-generator/generated-network.ts";
import { type Move, RandomChain } from "../../../../support/builders/random-chain.ts";

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constant("transactions"), count: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant("microBlock") }),
  fc.record({ kind: fc.constant("keyBlock"), generator: fc.nat({ max: 3 }), dropped: fc.nat({ max: 2 }) }),
  fc.record({ kind: fc.constant("competitor") }),
  fc.record({ kind: fc.constant("challenge") }),
);
const scenario = fc.record({
  variant: fc.constantFrom(...chainVariants),
  seed: fc.nat(),
  moves: fc.array(move, { minLength: 10, maxLength: 40, size: "max" }),
});

type Cells = readonly (string | number | bigint)[];

/** Rows as lists of cells, bytes as hex. */
function rowsOf({ node }: RandomChain, sql: string): Cells[] {
  const statement = node.database.database.prepare(sql);
  statement.setReadBigInts(true);
  return statement
    .all()
    .map((row) =>
      Object.values(row).map((cell) =>
        cell instanceof Uint8Array ? Buffer.from(cell).toString("hex") : (cell as bigint),
      ),
    );
}

function expectListsOfTables(chain: RandomChain): void {
  const rows = (sql: string) => rowsOf(chain, sql);
  const numbers = rows("SELECT number FROM account_number ORDER BY number");
  expect(numbers.flat()).toEqual(Array.from({ length: numbers.length }, (_, index) => BigInt(index + 1)));
  const seen =
    "SELECT address FROM account UNION SELECT address FROM asset_balance UNION SELECT address FROM tx_address";
  expect(rows("SELECT address FROM account_number ORDER BY address")).toEqual(rows(`${seen} ORDER BY address`));

  const last = `SELECT asset, address, balance FROM asset_balance_history held JOIN account_number ON number = holder
    WHERE height = (SELECT max(height) FROM asset_balance_history WHERE asset = held.asset AND holder = held.holder)`;
  const balances = "SELECT asset, address, balance FROM asset_balance";
  expect(rows(`${last} ORDER BY asset, address`)).toEqual(rows(`${balances} ORDER BY asset, address`));

  const held = "SELECT address, asset FROM asset_balance JOIN asset ON id = asset WHERE nft = 1 AND balance > 0";
  const listed = "SELECT address, asset FROM account_nft WHERE is_held = 1";
  expect(rows(`${listed} ORDER BY address, asset`)).toEqual(rows(`${held} ORDER BY address, asset`));

  const { chainId } = chain.settings.blockchain;
  const leases = rows("SELECT id, sender, recipient, height FROM lease WHERE status = 0").flatMap(
    ([id, sender, recipient, height]) => {
      const key = Buffer.from(sender as string, "hex") as Uint8Array as PublicKey;
      const parties = [recipient, Buffer.from(addressOfPublicKey(key, chainId)).toString("hex")];
      return parties.map((address) => `${address} ${id} ${height}`);
    },
  );
  const listedLeases = rows("SELECT address, lease, height FROM account_lease").map((row) => row.join(" "));
  expect(listedLeases.sort()).toEqual(leases.sort());

  const aliases = "SELECT address, name FROM alias ORDER BY address, name";
  expect(rows("SELECT address, name FROM account_alias ORDER BY address, name")).toEqual(rows(aliases));
}

test("the lists of a random chain are those of its tables, also after a rollback", () => {
  fc.assert(
    fc.property(scenario, ({ variant, seed, moves }) => {
      const chain = new RandomChain(variant, seed);
      for (const next of moves) chain.run(next);
      expectListsOfTables(chain);
      chain.node.chain.forks.revertTo(Math.ceil(chain.node.chain.view.height / 2));
      expectListsOfTables(chain);
    }),
    { numRuns: 15, interruptAfterTimeLimit: 7_000, markInterruptAsFailure: false },
  );
});
