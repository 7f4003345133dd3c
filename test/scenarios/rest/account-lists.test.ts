/** Lists of an account or an asset: batches and refusals. Responses of the reference are in replay. */
import type { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { putChain } from "../../support/builders/put-chain.ts";
import { genesisOfFile, type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";

const chainId = "R".charCodeAt(0);
const numbered = (size: number, number: number) => {
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
};
const addressOf = (number: number) => addressOfPublicKey(numbered(32, number) as PublicKey, chainId);
const account = addressOf(0);
const asset = numbered(32, 1);
const text = addressText(account);
const tip = 5000;
const network = fixtureText("private-a/network.json");
const holders = 12_000;

function fill(sqlite: DatabaseSync): void {
  putChain(sqlite, { height: tip, genesis: genesisOfFile(network) });
  sqlite.exec("BEGIN");
  const number = sqlite.prepare("INSERT INTO account_number (address, number) VALUES (?, ?)");
  const balance = sqlite.prepare("INSERT INTO asset_balance (address, asset, balance) VALUES (?, ?, ?)");
  const history = sqlite.prepare(
    "INSERT INTO asset_balance_history (asset, holder, height, balance) VALUES (?, ?, ?, ?)",
  );
  for (let index = 1; index <= holders; index++) {
    const address = addressOf(index);
    number.run(address, index);
    // Every third account has a former balance.
    balance.run(address, asset, index % 3 === 0 ? 0 : index);
    history.run(asset, index, 4000, index);
    if (index % 3 === 0) history.run(asset, index, 4500, 0);
  }
  const alias = sqlite.prepare("INSERT INTO alias (name, address) VALUES (?, ?)");
  const listedAlias = sqlite.prepare("INSERT INTO account_alias (address, number, name) VALUES (?, ?, ?)");
  for (let index = 1; index <= 2500; index++) {
    // An alias taken twice belongs to the later account.
    alias.run(`name_${index}`, index === 7 ? addressOf(1) : account);
    listedAlias.run(account, index, `name_${index}`);
  }
  const lease = sqlite.prepare(
    "INSERT INTO lease (id, sender, recipient, amount, origin_tx, height, status) VALUES (?, ?, ?, 1, ?, ?, 0)",
  );
  const listedLease = sqlite.prepare("INSERT INTO account_lease (address, lease, height, number) VALUES (?, ?, ?, ?)");
  for (let index = 1; index <= 3000; index++) {
    const id = numbered(32, index);
    const height = 100 + Math.floor(index / 700);
    lease.run(id, numbered(32, 9), account, id, height);
    listedLease.run(account, id, height, index);
  }
  const nft = sqlite.prepare(
    `INSERT INTO asset (id, issuer, origin_tx, issue_height, sequence, decimals, nft, volume, reissuable, name, description,
       text_height, script_complexity, min_sponsored_fee)
     VALUES (?, ?, ?, 1, 1, 0, 1, '1', 0, ?, x'', 1, 0, 0)`,
  );
  const listedNft = sqlite.prepare("INSERT INTO account_nft (address, asset, number, is_held) VALUES (?, ?, ?, ?)");
  for (let index = 2; index <= 1100; index++) {
    const id = numbered(32, index);
    nft.run(id, numbered(32, 9), id, new TextEncoder().encode("nft"));
    // Later NFTs have lower ids; every tenth was given away.
    listedNft.run(account, id, 2000 - index, index % 10 === 0 ? 0 : 1);
  }
  sqlite.exec("COMMIT");
}

let node: TestNode;
beforeAll(() => {
  const { d1, sqlite } = d1Double();
  fill(sqlite);
  node = testNode({ database: d1, network });
});

const get = async <Answer>(path: string, init?: RequestInit) => (await (await node.fetch(path, init)).json()) as Answer;
const withStrings = { headers: { Accept: "application/json;large-significand-format=string" } };

describe("the distribution of an asset", () => {
  const path = `/assets/${encodeBase58(asset)}/distribution`;
  const present = Array.from({ length: holders }, (_, index) => index + 1).filter((index) => index % 3 !== 0);

  test("has each holder once, and no former holders", async () => {
    const found = await get<Record<string, number>>(path);
    expect(found).toEqual(Object.fromEntries(present.map((index) => [addressText(addressOf(index)), index])));
    expect(await get(`${path}/`)).toEqual(found);
  });

  test("of an asset without holders is empty", async () => {
    expect(await get(`/assets/${encodeBase58(numbered(32, 77))}/distribution`)).toEqual({});
  });

  test("has strings for clients that ask for them", async () => {
    const found = await get<Record<string, string>>(path, withStrings);
    expect(found[addressText(addressOf(2))]).toBe("2");
  });

  interface Page {
    readonly hasNext: boolean;
    readonly lastItem: string | null;
    readonly items: Record<string, number>;
  }

  test("at a height follows in pages without gap or repetition, and ends with an empty one", async () => {
    const walked: string[] = [];
    let page: Page;
    let after = "";
    do {
      page = await get<Page>(`${path}/4400/limit/1000${after}`);
      walked.push(...Object.keys(page.items));
      after = `?after=${page.lastItem}`;
    } while (page.hasNext);
    expect(page).toEqual({ hasNext: false, lastItem: null, items: {} });
    expect(walked).toEqual(Array.from({ length: holders }, (_, index) => addressText(addressOf(index + 1))));
  });

  test("at a height shows the balances of then", async () => {
    const itemsAt = async (height: number) => Object.values((await get<Page>(`${path}/${height}/limit/4`)).items);
    expect(await itemsAt(3999)).toEqual([]);
    expect(await itemsAt(4000)).toEqual([1, 2, 3, 4]);
    expect(await itemsAt(4499)).toEqual([1, 2, 3, 4]);
    expect(await itemsAt(4500)).toEqual([1, 2, 4, 5]);
  });

  test("two bodies of one state that differ in how they write amounts have different tags", async () => {
    const path = `/assets/${encodeBase58(asset)}/distribution/4999/limit/3`;
    const answers = await Promise.all(
      [{}, { Accept: "*/*, application/json;large-significand-format=string" }].map((headers) =>
        node.fetch(path, { headers }),
      ),
    );
    const [numbers, texts] = await Promise.all(answers.map((response) => response.text()));
    expect(texts).not.toBe(numbers);
    const [tag, otherTag] = answers.map((response) => response.headers.get("ETag"));
    expect(tag).toMatch(/^"/);
    expect(otherTag).not.toBe(tag);
  });

  test("at a height has strings for clients that ask for them in any range", async () => {
    const headers = { Accept: "*/*, application/json;large-significand-format=string" };
    const { items } = await get<Page>(`${path}/4400/limit/1`, { headers });
    expect(Object.values(items)).toEqual(["1"]);
  });

  test.each([
    ["0/limit/10", "Height should be greater than zero"],
    ["5000/limit/10", "Using 'assetDistributionAtHeight' on current height can lead to inconsistent result"],
    ["5001/limit/10", "Asset distribution available only at height not greater than 4999"],
    ["2999/limit/10", "Unable to get distribution past height 3000"],
    ["4000/limit/0", "Limit should be greater than 0"],
    ["4000/limit/1001", "Limit should be less than or equal to 1000"],
  ])("at %s is refused", async (rest, message) => {
    const response = await node.fetch(`${path}/${rest}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 199, message });
  });

  test("after what is no address is refused", async () => {
    expect(await get(`${path}/4000/limit/1?after=bad`)).toEqual({ error: 102, message: "invalid address" });
  });
});

describe("balances of an asset at a height", () => {
  test("are those of then, from the last address on", async () => {
    const ask = (height: number) =>
      get<{ balance: number }[]>(
        `/addresses/balance?asset=${encodeBase58(asset)}&height=${height}&address=${addressText(addressOf(3))}&address=${text}`,
      );
    expect((await ask(4400)).map(({ balance }) => balance)).toEqual([0, 3]);
    expect((await ask(4600)).map(({ balance }) => balance)).toEqual([0, 0]);
  });
});

describe("what belongs to an account", () => {
  test("ids that name no lease are told together, whatever is wrong with them", async () => {
    const refusal = { error: 116, ids: ["x y", "1", ""] };
    expect(await get("/leasing/info?id=x%20y&id=1&id=")).toMatchObject(refusal);
  });

  test("aliases come newest first, without those that another account has now", async () => {
    const found = await get<string[]>(`/alias/by-address/${text}`);
    const all = Array.from({ length: 2500 }, (_, index) => 2500 - index).filter((index) => index !== 7);
    expect(found).toEqual(all.map((index) => `alias:R:name_${index}`));
  });

  test("leases come by blocks, the newest first, those of a block in their order", async () => {
    const found = await get<{ id: string; height: number }[]>(`/leasing/active/${text}`);
    const expected = Array.from({ length: 3000 }, (_, index) => index + 1).sort(
      (left, right) => Math.floor(right / 700) - Math.floor(left / 700) || left - right,
    );
    expect(found.map(({ id }) => id)).toEqual(expected.map((index) => encodeBase58(numbered(32, index))));
  });

  const held = Array.from({ length: 1099 }, (_, index) => 1100 - index)
    .filter((index) => index % 10 !== 0)
    .map((index) => encodeBase58(numbered(32, index)));
  const nftsOf = async (rest: string, init?: RequestInit) =>
    (await get<{ assetId: string }[]>(`/assets/nft/${text}/limit/${rest}`, init)).map(({ assetId }) => assetId);

  test("NFTs come in the order in which it got them, up to the limit", async () => {
    expect(await nftsOf("1000")).toEqual(held);
    expect(await nftsOf("600")).toEqual(held.slice(0, 600));
    expect(await nftsOf("0")).toEqual([]);
  });

  test("a page of NFTs comes behind one that it has or had, in the query or in a body", async () => {
    expect(await nftsOf(`5?after=${held[9]}`)).toEqual(held.slice(10, 15));
    const formerly = encodeBase58(numbered(32, 1090));
    expect(await nftsOf(`5?after=${formerly}`)).toEqual(held.slice(9, 14));
    const init = { method: "POST", headers: { "Content-Type": "application/json" } };
    expect(await nftsOf("5", { ...init, body: JSON.stringify({ after: held[9] }) })).toEqual(held.slice(10, 15));
    expect(await nftsOf("5", { method: "POST", body: new URLSearchParams({ after: held[9] ?? "" }) })).toEqual(
      held.slice(10, 15),
    );
    expect(await nftsOf("5", { method: "POST" })).toEqual(held.slice(0, 5));
    expect(await nftsOf("5?after=")).toEqual(held.slice(0, 5));
  });

  test("nothing comes behind an NFT that it never had", async () => {
    expect(await nftsOf(`5?after=${encodeBase58(numbered(32, 5000))}`)).toEqual([]);
  });

  test("an NFT says of sponsorship only where there is one", async () => {
    const [first] = await get<object[]>(`/assets/nft/${text}/limit/1`);
    expect(first).not.toHaveProperty("minSponsoredAssetFee");
  });

  test.each([
    ["1001", { error: 10, message: "Too big sequence requested" }],
    ["1001?after=0", { error: 4007, message: "Invalid asset id" }],
    ["-1", { error: 4007, message: "Invalid asset id" }],
  ])("NFTs with the limit %s are refused", async (rest, refusal) => {
    expect(await get(`/assets/nft/${text}/limit/${rest}`)).toEqual(refusal);
  });
});
