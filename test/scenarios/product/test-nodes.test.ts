/** Nodes of tests: in memory, many at once, gone without a trace. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { broadcast, nodeInteraction, transfer } from "@waves/waves-transactions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DevNode, DevNodeError, startNode } from "../../../local/testing/index.ts";
import { nodeBetween, startSharedNode } from "../../../local/testing/shared-node.ts";
import { projectRoot } from "../../../verification/local-node.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "node-test-"));
const usualFolder = process.env["TMPDIR"];
const waves = 100_000_000;

beforeAll(() => {
  process.env["TMPDIR"] = folder;
});
afterAll(() => {
  if (usualFolder === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usualFolder;
  rmSync(folder, { recursive: true });
});

const remainingFiles = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith("waves-node-"));
const balanceOf = async (node: DevNode, address: string) => Number(await nodeInteraction.balance(address, node.url));
const heightOf = async (node: DevNode) => nodeInteraction.currentHeight(node.url);

function pay(node: DevNode, amount: number) {
  const [from, to] = node.accounts;
  const tx = transfer({ recipient: to?.address ?? "", amount, chainId: "R" }, from?.seed ?? "");
  return broadcast(tx, node.url);
}

describe("a node", () => {
  let node: DevNode;
  beforeAll(async () => {
    node = await startNode({ accounts: 3 });
  });
  afterAll(() => node.stop());

  test("has accounts with WAVES, always the same, and makes blocks only on demand", async () => {
    expect(node.accounts.map(({ seed }) => seed)).toEqual([1, 2, 3].map((nth) => `waves dev chain account ${nth}`));
    for (const { address } of node.accounts) expect(await balanceOf(node, address)).toBe(1_000 * waves);
    const { time, ...status } = await node.status();
    expect(status).toMatchObject({ height: 2, automine: true, interval: null, snapshots: [], impersonated: [] });
    expect(Math.abs(time - Date.now())).toBeLessThan(600_000);
  });

  test("puts a transaction into a block before the response to its broadcast", async () => {
    await node.reset();
    await pay(node, 3 * waves);
    expect(await balanceOf(node, node.accounts[1]?.address ?? "")).toBe(1_003 * waves);
    expect(await heightOf(node)).toBe(3);
  });

  test("lets transactions wait for mine without automine", async () => {
    await node.reset();
    await node.automine(false);
    await pay(node, waves);
    expect(await heightOf(node)).toBe(2);
    expect((await node.mine()).height).toBe(3);
    expect(await balanceOf(node, node.accounts[1]?.address ?? "")).toBe(1_001 * waves);
  });

  test("makes blocks by time if configured", async () => {
    await node.reset();
    expect((await node.setInterval(20)).interval).toBe(20);
    await expect.poll(() => heightOf(node)).toBeGreaterThan(4);
    expect((await node.setInterval(null)).interval).toBeNull();
  });

  test("has a clock of its own", async () => {
    await node.reset();
    const { time } = await node.status();
    await node.increaseTime(86_400_000);
    expect((await node.status()).time).toBeGreaterThanOrEqual(time + 86_400_000);
    const later = time + 30 * 86_400_000;
    expect(await node.setTime(new Date(later))).toEqual({ time: later });
    await node.mine();
    const last = (await (await fetch(`${node.url}/blocks/headers/last`)).json()) as { timestamp: number };
    expect(last.timestamp).toBe(later);
    await expect(node.setTime(time)).rejects.toThrow(DevNodeError);
  });

  test("reverts to snapshots, and to its start", async () => {
    await node.reset();
    const { height } = await node.snapshot("before");
    await pay(node, waves);
    await node.impersonate(node.accounts[0]?.address ?? "");
    expect((await node.snapshot()).name).not.toBe("before");
    expect(await node.revert("before")).toMatchObject({ height });
    expect(await node.status()).toMatchObject({ snapshots: [{ name: "before", height }], impersonated: [] });
    expect((await node.reset()).height).toBe(2);
    await expect(node.revert("before")).rejects.toMatchObject({ name: "DevNodeError", status: 400 });
  });

  test("accepts state overrides, and transactions without proofs", async () => {
    await node.reset();
    const [alice, bob] = node.accounts;
    if (alice === undefined || bob === undefined) throw new Error("no accounts");
    await node.setData(bob.address, { count: 7n, name: "bob" });
    expect(await nodeInteraction.accountDataByKey("count", bob.address, node.url)).toMatchObject({ value: 7 });
    await node.setScript(bob.address, "{-# STDLIB_VERSION 6 #-}\n{-# CONTENT_TYPE EXPRESSION #-}\nfalse");
    expect(await nodeInteraction.scriptInfo(bob.address, node.url)).toMatchObject({
      script: expect.stringContaining("base64:"),
      version: 6,
    });
    await node.setScript(bob.address, null);
    await node.setBalance(alice.address, 5 * waves);
    expect(await balanceOf(node, alice.address)).toBe(5 * waves);
    const { id } = await node.fund(alice.address, waves);
    expect(await nodeInteraction.transactionById(id, node.url)).toMatchObject({ recipient: alice.address });
    const unsigned = transfer({
      recipient: bob.address,
      amount: waves,
      senderPublicKey: alice.publicKey,
      chainId: "R",
    });
    await expect(broadcast(unsigned, node.url)).rejects.toMatchObject({ error: 112 });
    expect((await node.impersonate(alice.address)).impersonated).toEqual([alice.address]);
    await broadcast(unsigned, node.url);
    expect(await balanceOf(node, bob.address)).toBe(1_001 * waves);
  });

  test("exports its state to another one", async () => {
    await node.reset();
    await pay(node, 9 * waves);
    await using other = await startNode({ accounts: 3, seed: "others" });
    const { height } = await other.load(await node.dump());
    expect(height).toBe(3);
    expect(await balanceOf(other, node.accounts[1]?.address ?? "")).toBe(1_009 * waves);
    await other.mine();
  });

  test("may fork another one, which stays unchanged", async () => {
    await node.reset();
    await pay(node, 2 * waves);
    await node.mine(2);
    await using fork = await startNode({ accounts: 3, seed: "of the fork", fork: node.url });
    expect((await fork.status()).fork).toMatchObject({ url: node.url });
    const receiver = node.accounts[1]?.address ?? "";
    expect(await balanceOf(fork, receiver)).toBe(1_002 * waves);
    const tx = transfer({ recipient: receiver, amount: waves, chainId: "R" }, fork.accounts[0]?.seed ?? "");
    await broadcast(tx, fork.url);
    expect(await balanceOf(fork, receiver)).toBe(1_003 * waves);
    expect(await balanceOf(node, receiver)).toBe(1_002 * waves);
    await expect(startNode({ fork: "http://127.0.0.1:9" })).rejects.toThrow(DevNodeError);
  });

  test("ends when its owner stops it by its REST interface", async () => {
    const other = await startNode({ accounts: 0 });
    await fetch(`${other.url}/node/stop`, { method: "POST", headers: { "X-API-Key": other.apiKey } });
    await expect.poll(() => other.status().catch(({ message }) => message)).toContain("There is no node at");
    await other.stop();
  });

  test("reports that its port is in use", async () => {
    const port = Number(new URL(node.url).port);
    const refused = await startNode({ port }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DevNodeError);
    expect((refused as DevNodeError).message).toContain(`Port ${port} on 127.0.0.1 is taken`);
  });
});

test("several at once are independent, and leave nothing behind", async () => {
  const before = remainingFiles().length;
  const nodes = await Promise.all([1, 2, 3].map((count) => startNode({ accounts: count, balance: BigInt(count) })));
  expect(new Set(nodes.map(({ url }) => url)).size).toBe(3);
  await nodes[0]?.mine(5);
  expect(await Promise.all(nodes.map(heightOf))).toEqual([7, 2, 2]);
  expect(nodes.map(({ accounts }) => accounts.length)).toEqual([1, 2, 3]);
  expect(await balanceOf(nodes[2] as DevNode, nodes[2]?.accounts[0]?.address ?? "")).toBe(3);
  await Promise.all(nodes.flatMap((node) => [node.stop(), node.stop()]));
  await expect(nodes[0]?.status()).rejects.toThrow("There is no node at");
  expect(remainingFiles()).toHaveLength(before);
});

test("one ends with the process that started it, even if that is killed", async () => {
  const module = JSON.stringify(path.join(projectRoot, "local", "testing", "index.ts"));
  const script = `const { startNode } = await import(${module});
    const { url } = await startNode({ accounts: 0 }); console.log(url); setInterval(() => {}, 1000);`;
  const directory = mkdtempSync(path.join(folder, "killed-"));
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: directory },
  });
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  expect((await fetch(`${url}/blocks/height`)).status).toBe(200);
  expect(readdirSync(directory)).toHaveLength(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  await expect.poll(() => readdirSync(directory)).toEqual([]);
});

describe("a node shared by tests", () => {
  test("starts each of them in the state after its setup", async () => {
    const hooks = { beforeAll: [] as Run[], afterEach: [] as Run[], afterAll: [] as Run[] };
    type Run = () => Promise<void>;
    let setups = 0;
    const shared = nodeBetween(
      {
        beforeAll: (run) => hooks.beforeAll.push(run),
        afterEach: (run) => hooks.afterEach.push(run),
        afterAll: (run) => hooks.afterAll.push(run),
      },
      {
        accounts: 2,
        setup: async (node) => {
          setups++;
          await pay(node, 50 * waves);
        },
      },
    );
    expect(() => shared.node).toThrow("not before");
    const runAll = async (runs: readonly Run[]) => {
      for (const run of runs) await run();
    };
    await runAll(hooks.beforeAll);
    const { node } = shared;
    const receiver = node.accounts[1]?.address ?? "";
    for (let round = 0; round < 2; round++) {
      expect(await balanceOf(node, receiver)).toBe(1_050 * waves);
      await pay(node, waves);
      // A test may do so, too.
      if (round === 0) await node.reset();
      await runAll(hooks.afterEach);
    }
    expect(setups).toBe(1);
    await runAll(hooks.afterAll);
    expect(() => shared.node).toThrow("not before");
    await expect(node.status()).rejects.toThrow(DevNodeError);
  });

  test("is not left behind by a failing setup", async () => {
    const before = remainingFiles().length;
    const setup = () => Promise.reject(new Error("nothing is set up"));
    await expect(startSharedNode({ accounts: 0, setup })).rejects.toThrow("nothing is set up");
    expect(remainingFiles()).toHaveLength(before);
  });
});
