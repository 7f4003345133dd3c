/** Private chain as a dApp developer uses it: with the client libraries. */
import { create } from "@waves/node-api-js";
import { massTransfer, seedUtils, transfer } from "@waves/waves-transactions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalNode, readyNode, startNode } from "../../../verification/local-node.ts";
import { eventually, getJson, temporaryFolder } from "../../support/builders/started-node.ts";

const master = { seed: "waves private node seed with waves tokens", address: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF" };
const chainId = "R";
const data = temporaryFolder();
let node: LocalNode;
beforeAll(async () => {
  node = await readyNode(["--data", data.path]);
});
afterAll(async () => {
  await node.stop();
  data.remove();
});

interface Status {
  readonly status: string;
  readonly height: number;
}

/** Waits until the transaction is in a block; until then it is always found. */
function confirmed(id: string): Promise<Status> {
  return eventually(async () => {
    const status = await getJson<Status>(`${node.url}/transactions/status/${id}`);
    expect(status.status).not.toBe("not_found");
    return status.status === "confirmed" ? status : undefined;
  });
}

interface Snapshot {
  readonly applicationStatus: string;
  readonly balances: readonly { readonly address: string; readonly balance: number }[];
}

interface StateHash {
  readonly height: number;
  readonly stateHash: string;
  readonly snapshotHash: string;
  readonly blockId: string;
}

const newAddress = (): string => new seedUtils.Seed(seedUtils.generateNewSeed(), chainId).address;
const balanceOf = async (address: string): Promise<string> => {
  const text = await (await fetch(`${node.url}/addresses/balance/${address}`)).text();
  return text.match(/"balance":(\d+)/)?.[1] ?? "";
};

test("the account of the image owns all tokens", async () => {
  const { address } = await getJson<{ address: string }>(
    `${node.url}/addresses/publicKey/AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV`,
  );
  expect(address).toBe(master.address);
  expect(BigInt(await balanceOf(master.address))).toBeGreaterThanOrEqual(10_000_000_000_000_000n);
});

test("a transfer signed by waves-transactions and sent by node-api-js is confirmed and received", async () => {
  const api = create(node.url);
  const recipient = newAddress();
  const tx = transfer({ recipient, amount: 123_456_789, chainId }, master.seed);
  await api.transactions.broadcast(tx);
  const { height } = await confirmed(tx.id);
  expect(await balanceOf(recipient)).toBe("123456789");
  const info = await getJson<Record<string, unknown>>(`${node.url}/transactions/info/${tx.id}`);
  expect(info).toMatchObject({ id: tx.id, height, recipient, amount: 123_456_789, applicationStatus: "succeeded" });
  const block = await getJson<{ transactions: { id: string }[] }>(`${node.url}/blocks/at/${height}`);
  expect(block.transactions.map(({ id }) => id)).toContain(tx.id);
  const list = await getJson<{ id: string }[][]>(`${node.url}/transactions/address/${recipient}/limit/10`);
  expect(list[0]?.map(({ id }) => id)).toEqual([tx.id]);
  const { balance } = await api.addresses.fetchBalance(recipient);
  expect(String(balance)).toBe("123456789");
});

test("both versions of the library's transfer are accepted, and the received amount can be sent on", async () => {
  const account = new seedUtils.Seed(seedUtils.generateNewSeed(), chainId);
  const funding = massTransfer(
    { transfers: [{ recipient: account.address, amount: 10_000_000 }], chainId, fee: 200_000 },
    master.seed,
  );
  const api = create(node.url);
  await api.transactions.broadcast(funding);
  await confirmed(funding.id);
  const recipient = newAddress();
  for (const version of [2, 3] as const) {
    // The library's type requires fields that its code fills in.
    const unsigned = { version, recipient, amount: version, chainId } as unknown as Parameters<typeof transfer>[0];
    const tx = transfer(unsigned, account.phrase);
    await api.transactions.broadcast(tx);
    await confirmed(tx.id);
  }
  expect(await balanceOf(recipient)).toBe("5");
  expect(await balanceOf(account.address)).toBe(String(10_000_000 - 5 - 2 * 100_000));
});

test("a transfer that the account cannot pay is refused with the reference's error", async () => {
  const poor = new seedUtils.Seed(seedUtils.generateNewSeed(), chainId);
  const tx = transfer({ recipient: master.address, amount: 1, chainId }, poor.phrase);
  const response = await fetch(`${node.url}/transactions/broadcast`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(tx),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: 112,
    message: expect.stringContaining("negative waves balance"),
  });
});

test("a second node on the same data directory, or on the port, is refused with one message and exit code 2", async () => {
  const second = await startNode(["--data", data.path]);
  expect(await second.exited).toBe(2);
  expect(second.output().trim().split("\n")).toHaveLength(1);
  const port = new URL(node.url).port;
  const other = await startNode(["--memory", "--port", port]);
  expect(await other.exited).toBe(2);
  expect(other.output()).toContain(port);
});

test("state survives a restart", async () => {
  const { height } = await getJson<{ height: number }>(`${node.url}/blocks/height`);
  const { id } = await getJson<{ id: string }>(`${node.url}/blocks/headers/at/${height - 1}`);
  expect(await node.stop()).toBe(0);
  node = await readyNode(["--data", data.path]);
  expect(await getJson(`${node.url}/blocks/headers/at/${height - 1}`)).toMatchObject({ id });
});

test("the snapshot of a transfer shows the new balances, and blocks have the node's state hash", async () => {
  const recipient = newAddress();
  const tx = transfer({ recipient, amount: 7, chainId }, master.seed);
  await create(node.url).transactions.broadcast(tx);
  await confirmed(tx.id);
  const snapshot = await getJson<Snapshot>(`${node.url}/transactions/snapshot/${tx.id}`);
  expect(snapshot.applicationStatus).toBe("succeeded");
  expect(snapshot.balances.find(({ address }) => address === recipient)?.balance).toBe(7);
  const last = await getJson<StateHash>(`${node.url}/debug/stateHash/last`);
  const header = await getJson<Record<string, unknown>>(`${node.url}/blocks/headers/at/${last.height}`);
  expect(header).toMatchObject({ id: last.blockId, stateHash: last.snapshotHash });
  expect(await getJson<StateHash>(`${node.url}/debug/stateHash/${last.height}`)).toEqual(last);
});
