/** Final blocks inside workerd: the object that `src/index.ts` exports writes them to KV. */
import { createExecutionContext, reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { ChainState } from "../../../src/index.ts";
import { serve } from "../../../src/worker/serve.ts";

afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

test("final blocks are in KV before any request for them, and counted", async () => {
  const keys = async () => (await env.FINAL.list()).keys.map(({ name }) => name.slice(name.indexOf("/block/")));
  vi.useFakeTimers({ toFake: ["Date"] });
  await runInDurableObject(env.CHAIN_STATE.getByName("idle"), async (_, state) => {
    Object.defineProperty(state.storage, "setAlarm", { value: async () => {} });
    const object = new ChainState(state, env);
    while (object.status().height < 110) {
      vi.setSystemTime(Date.now() + 10_000);
      await object.alarm();
    }
    await object.call("node", "wake", []);
    await expect.poll(keys).toHaveLength(10);
    const { work } = (await object.call("node", "status", [])) as { readonly work: object };
    expect(work).toMatchObject({ kvWrites: 10, kvErrors: 0 });
  });
  expect(await keys()).toContain("/block/height/10");
  const response = await serve(new Request("http://node.test/blocks/at/10"), env, createExecutionContext());
  expect(await response.json()).toMatchObject({ height: 10 });
});
