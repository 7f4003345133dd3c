import { expect, test, vi } from "vitest";
import { dispatchHubCall } from "../../../../durable/chain-state/peers/dispatch-hub-call.ts";
import { hubListener } from "../../../../durable/chain-state/peers/hub-listener.ts";
import { PEER_HUB_NAME } from "../../../../src/env.ts";
import type { ChainEvents } from "../../../../src/rpc/chain-for-peers.ts";
import { follower } from "../../../support/builders/follower.ts";
import { startMs } from "../../../support/builders/forked-nodes.ts";

test("a call of PeerHub finds its method, and only those that are listed", async () => {
  const { calls } = follower({ startMs });
  expect(await dispatchHubCall(calls, "chainTip", [])).toEqual(await calls.chainTip());
  expect(await dispatchHubCall(calls, "lastBlockIds", [1])).toEqual([(await calls.chainTip()).tipId]);
  for (const method of ["constructor", "toString", "call", "__proto__", ""])
    await expect(dispatchHubCall(calls, method, [])).rejects.toThrow(`ChainState has no method ${method} for peers`);
});

test("PeerHub is notified by method name, and a failure is only logged", async () => {
  const event: ChainEvents = { tip: await follower({ startMs }).calls.chainTip() };
  const onChainEvents = vi.fn(async (_: ChainEvents) => {});
  const getByName = vi.fn(() => ({ onChainEvents }) as unknown as DurableObjectStub);
  await hubListener({ getByName }).onChainEvents(event);
  expect(getByName).toHaveBeenCalledWith(PEER_HUB_NAME);
  expect(onChainEvents).toHaveBeenCalledWith(event);
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  onChainEvents.mockRejectedValueOnce(new Error("away"));
  await expect(hubListener({ getByName }).onChainEvents(event)).resolves.toBeUndefined();
  expect(logged).toHaveBeenCalledWith(expect.stringContaining("PeerHub was not notified"));
  logged.mockRestore();
});
