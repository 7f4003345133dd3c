import { broadcast, issue, libs, nodeInteraction } from "@waves/waves-transactions";
import { test as base, describe, expect } from "vitest";
import type { DevNode } from "waves-edge-node/testing";
import { type NodeContext, nodeFixture } from "waves-edge-node/testing/vitest";
import { chainId, dAppOf, day, deploy, invoke, owner, pay, saversOf, waves } from "./savings.ts";

// One node for this file; each test begins where `deploy` left the chain.
const test = base.extend<NodeContext>(nodeFixture({ accounts: 3, setup: deploy }));

const balanceOf = async (node: DevNode, address: string) => Number(await nodeInteraction.balance(address, node.url));
const dataOf = async (node: DevNode, key: string) =>
  (await nodeInteraction.accountDataByKey(key, dAppOf(node).address, node.url))?.value;

describe("saving", () => {
  test("the dApp lists its callables", async ({ node }) => {
    const response = await fetch(`${node.url}/addresses/scriptInfo/${dAppOf(node).address}/meta`);
    const { meta } = (await response.json()) as { meta: { callableFuncTypes: object } };
    expect(Object.keys(meta.callableFuncTypes).sort()).toEqual(["save", "setPercent", "withdraw"]);
  });

  test("a saving is written down", async ({ node }) => {
    const [saver] = saversOf(node);
    const { time } = await node.status();
    await invoke(node, { name: "save", args: [30], pays: 10 * waves }, saver);
    expect(await dataOf(node, `${saver.address}_amount`)).toBe(10 * waves);
    expect(await dataOf(node, `${saver.address}_interest`)).toBe(0.5 * waves);
    expect(Number(await dataOf(node, `${saver.address}_until`))).toBeGreaterThanOrEqual(time + 30 * day);
  });

  test("a saving goes to the dApp", async ({ node }) => {
    const [saver] = saversOf(node);
    const before = await balanceOf(node, dAppOf(node).address);
    await invoke(node, { name: "save", args: [1], pays: 7 * waves }, saver);
    expect(await balanceOf(node, dAppOf(node).address)).toBe(before + 7 * waves);
    expect(await balanceOf(node, saver.address)).toBe(1_000 * waves - 7 * waves - 500_000);
  });

  test.for([0, 366, -1])("%i days are refused", async (days, { node }) => {
    const sent = invoke(node, { name: "save", args: [days], pays: waves }, saversOf(node)[0]);
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining("from 1 to 365 days") });
  });

  test("nothing paid is refused", async ({ node }) => {
    const sent = invoke(node, { name: "save", args: [1] }, saversOf(node)[0]);
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining("one payment in WAVES") });
  });

  test("another asset is refused", async ({ node }) => {
    const [saver] = saversOf(node);
    const asset = issue({ name: "Gold", description: "", quantity: 1000, decimals: 0, chainId }, saver.seed);
    await broadcast(asset, node.url);
    const sent = invoke(node, { name: "save", args: [1], pays: 5, asset: asset.id }, saver);
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining("one payment in WAVES") });
  });

  test("a second saving waits for the first", async ({ node }) => {
    const [saver] = saversOf(node);
    await invoke(node, { name: "save", args: [1], pays: waves }, saver);
    const sent = invoke(node, { name: "save", args: [1], pays: waves }, saver);
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining("one saving at a time") });
  });

  test("each account has a saving of its own", async ({ node }) => {
    for (const [index, saver] of saversOf(node).entries())
      await invoke(node, { name: "save", args: [1], pays: (index + 1) * waves }, saver);
    const amounts = await Promise.all(saversOf(node).map(({ address }) => dataOf(node, `${address}_amount`)));
    expect(amounts).toEqual([waves, 2 * waves]);
  });
});

describe("withdrawing", () => {
  test("nothing saved is nothing taken", async ({ node }) => {
    const sent = invoke(node, { name: "withdraw" }, saversOf(node)[0]);
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining("nothing saved") });
  });

  test("a saving cannot be withdrawn before its time", async ({ node }) => {
    const [saver] = saversOf(node);
    await invoke(node, { name: "save", args: [30], pays: waves }, saver);
    await node.increaseTime(29 * day);
    const sent = invoke(node, { name: "withdraw" }, saver);
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining("too early") });
  });

  test("a saving is paid back with interest after its time", async ({ node }) => {
    const [saver] = saversOf(node);
    await invoke(node, { name: "save", args: [30], pays: 10 * waves }, saver);
    const before = await balanceOf(node, saver.address);
    await node.increaseTime(30 * day);
    await invoke(node, { name: "withdraw" }, saver);
    expect(await balanceOf(node, saver.address)).toBe(before + 10.5 * waves - 500_000);
  });

  test("to the millisecond", async ({ node }) => {
    const [saver] = saversOf(node);
    await invoke(node, { name: "save", args: [1], pays: waves }, saver);
    const until = Number(await dataOf(node, `${saver.address}_until`));
    await node.setTime(until - 1);
    const sent = invoke(node, { name: "withdraw" }, saver);
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining("too early by 1 ms") });
    await node.setTime(until);
    await invoke(node, { name: "withdraw" }, saver);
    expect(await dataOf(node, `${saver.address}_amount`)).toBeUndefined();
  });

  test("only once", async ({ node }) => {
    const [saver] = saversOf(node);
    await invoke(node, { name: "save", args: [1], pays: waves }, saver);
    await node.increaseTime(day);
    await invoke(node, { name: "withdraw" }, saver);
    const sent = invoke(node, { name: "withdraw" }, saver);
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining("nothing saved") });
  });

  test("an old saving needs no waiting in a test", async ({ node }) => {
    const [saver] = saversOf(node);
    const { address } = saver;
    await node.setData(dAppOf(node).address, {
      [`${address}_amount`]: 20 * waves,
      [`${address}_until`]: 1,
      [`${address}_interest`]: waves,
    });
    await invoke(node, { name: "withdraw" }, saver);
    expect(await balanceOf(node, address)).toBe(1_021 * waves - 500_000);
  });

  test("the dApp cannot pay more than it has", async ({ node }) => {
    const [saver] = saversOf(node);
    await invoke(node, { name: "save", args: [1], pays: 10 * waves }, saver);
    await node.increaseTime(day);
    await node.setBalance(dAppOf(node).address, 5 * waves);
    await expect(invoke(node, { name: "withdraw" }, saver)).rejects.toMatchObject({
      message: expect.stringContaining("negative waves balance"),
    });
  });
});

describe("the owner", () => {
  const setPercent = (value: number) => ({ name: "setPercent", args: [value] });

  test("no other account sets the percentage", async ({ node }) => {
    const sent = invoke(node, setPercent(20), saversOf(node)[0]);
    await expect(sent).rejects.toMatchObject({ message: expect.stringContaining("only the owner") });
  });

  test("sets it, though no one here has the owner's seed", async ({ node }) => {
    await node.fund(owner.address, waves);
    await node.impersonate(owner.address);
    await invoke(node, setPercent(10), owner.publicKey);
    expect(await dataOf(node, "percent")).toBe(10);
    await node.impersonate(owner.address, false);
    await expect(invoke(node, setPercent(11), owner.publicKey)).rejects.toMatchObject({ error: 112 });
  });

  test("an earlier saving keeps its interest", async ({ node }) => {
    const [saver] = saversOf(node);
    await invoke(node, { name: "save", args: [1], pays: 100 * waves }, saver);
    await node.setData(dAppOf(node).address, { percent: 20 });
    expect(await dataOf(node, `${saver.address}_interest`)).toBe(5 * waves);
  });

  test("alone moves the dApp's own WAVES", async ({ node }) => {
    expect(libs.crypto.address({ publicKey: owner.publicKey }, chainId)).toBe(owner.address);
    const stolen = pay(node, dAppOf(node), saversOf(node)[0].address, waves);
    await expect(stolen).rejects.toMatchObject({ error: 307 });
  });

  test("a trial can be reverted", async ({ node }) => {
    const [saver] = saversOf(node);
    const { name, height } = await node.snapshot();
    await invoke(node, { name: "save", args: [1], pays: waves }, saver);
    await node.increaseTime(365 * day);
    expect(await node.revert(name)).toMatchObject({ height });
    expect(await dataOf(node, `${saver.address}_amount`)).toBeUndefined();
    expect(await balanceOf(node, saver.address)).toBe(1_000 * waves);
  });
});
