/**
 * Snapshots and dumps of a dev chain as `npm start` runs it: on the runtime's own databases, over restarts, from node
 * to node.
 */
import { create } from "@waves/node-api-js";
import { transfer } from "@waves/waves-transactions";
import { afterAll, expect, test } from "vitest";
import { type LocalNode, readyNode } from "../../../verification/local-node.ts";
import { getJson, temporaryFolder } from "../../support/builders/started-node.ts";
import { brokenInvariants, readModelDifferences } from "../../support/fixtures/stored-state.ts";

const seed = "waves private node seed with waves tokens";
const recipient = "3MJfAPuSQgQSB1AcUHHFzRUjMpx7j35YsQv";
const headers = { "X-API-Key": "waves-private-node", "Content-Type": "application/json" };
const flags = ["--dev", "--interval", "none", "--quiet", "--data"];
const [own, other] = [temporaryFolder(), temporaryFolder()];
let node: LocalNode | undefined;
afterAll(async () => {
  await node?.stop();
  own.remove();
  other.remove();
});

let amount = 1;
async function pay({ url }: LocalNode): Promise<string> {
  const tx = transfer({ recipient, amount: ++amount, chainId: "R" }, seed);
  await create(url).transactions.broadcast(tx);
  return tx.id;
}

async function control<Answer>({ url }: LocalNode, path: string, body: object): Promise<Answer> {
  const response = await fetch(`${url}/dev/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

const last = ({ url }: LocalNode) => getJson<{ height: number; id: string }>(`${url}/blocks/last`);

function expectSound(folder: string): void {
  expect(readModelDifferences(folder)).toEqual([]);
  expect(brokenInvariants(folder)).toEqual([]);
}

test("a snapshot survives the process, and a dump copies the state to another node", async () => {
  node = await readyNode([...flags, own.path]);
  const id = await pay(node);
  expect(await control(node, "snapshot", { name: "paid" })).toEqual({ name: "paid", height: 3 });
  const tip = await last(node);
  for (let count = 0; count < 5; count++) await pay(node);
  await control(node, "mine", { blocks: 120 });
  await node.stop();

  node = await readyNode([...flags, own.path]);
  expect((await last(node)).height).toBe(128);
  expect(await control(node, "revert", { name: "paid" })).toMatchObject({ height: 3 });
  expect(await last(node)).toEqual(tip);
  await pay(node);
  const reached = await last(node);
  expect(reached.height).toBe(4);
  const dump = await fetch(`${node.url}/dev/dump`, { headers });
  const file = await dump.arrayBuffer();
  await node.stop();
  expectSound(own.path);

  node = await readyNode([...flags, other.path]);
  await pay(node);
  const loaded = await fetch(`${node.url}/dev/load`, { method: "POST", headers, body: file });
  expect([loaded.status, await loaded.json()]).toEqual([200, { height: 4 }]);
  expect(await last(node)).toEqual(reached);
  expect(await getJson(`${node.url}/transactions/info/${id}`)).toMatchObject({ height: 3 });
  await pay(node);
  expect((await last(node)).height).toBe(5);
  expect(await control(node, "reset", {})).toMatchObject({ height: 2 });
  await node.stop();
  expectSound(other.path);
});
