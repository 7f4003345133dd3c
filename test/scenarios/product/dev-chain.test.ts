/** Dev chain as a dApp developer uses it: started with flags, controlled over HTTP. */
import { create } from "@waves/node-api-js";
import { transfer } from "@waves/waves-transactions";
import { afterAll, expect, test } from "vitest";
import { type LocalNode, readyNode } from "../../../verification/local-node.ts";
import { getJson, temporaryFolder } from "../../support/builders/started-node.ts";

const seed = "waves private node seed with waves tokens";
const recipient = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
const headers = { "X-API-Key": "waves-private-node", "Content-Type": "application/json" };
const data = temporaryFolder();
let node: LocalNode | undefined;
afterAll(async () => {
  await node?.stop();
  data.remove();
});

let amount = 1;
/** @returns its height, as soon as the broadcast has its response */
async function heightOfTransfer({ url }: LocalNode): Promise<number> {
  const tx = transfer({ recipient, amount: ++amount, chainId: "R" }, seed);
  await create(url).transactions.broadcast(tx);
  return (await getJson<{ height: number }>(`${url}/transactions/info/${tx.id}`)).height;
}

async function control<Answer>({ url }: LocalNode, path: string, body?: object): Promise<Answer> {
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}/dev/${path}`, init);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

interface Status {
  readonly height: number;
  readonly time: number;
  readonly automine: boolean;
  readonly interval: number | null;
}

test("a transfer is confirmed when the broadcast has its response; mining mode and time survive a restart", async () => {
  const flags = ["--dev", "--data", data.path, "--quiet"];
  node = await readyNode([...flags, "--interval", "none"]);
  expect(await control<Status>(node, "status")).toMatchObject({ height: 2, automine: true, interval: null });
  expect(await heightOfTransfer(node)).toBe(3);
  expect(await control<Status>(node, "mine", { blocks: 150 })).toMatchObject({ height: 153 });
  expect(await getJson(`${node.url}/blocks/height`)).toEqual({ height: 153 });
  const time = Date.now() + 30 * 86_400_000;
  expect(await control<Status>(node, "setTime", { time })).toEqual({ time });
  await node.stop();
  node = await readyNode(flags);
  const status = await control<Status>(node, "status");
  expect(status).toMatchObject({ height: 153, automine: true, interval: null });
  expect(status.time).toBeGreaterThanOrEqual(time);
  expect(await heightOfTransfer(node)).toBe(154);
  expect(await getJson(`${node.url}/blocks/headers/last`)).toMatchObject({ height: 154, timestamp: time });
  expect((await fetch(`${node.url}/health`)).status).toBe(200);
});
