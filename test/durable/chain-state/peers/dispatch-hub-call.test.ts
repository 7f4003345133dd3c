import { expect, test, vi } from "vitest";
import { answerHubCall } from "../../../../durable/chain-state/peers/dispatch-hub-call.ts";
import { hubListener } from "../../../../durable/chain-state/peers/hub-listener.ts";
import { PEER_HUB_NAME } from "../../../../src/env.ts";
import type { ChainNews } from "../../../../src/rpc/chain-for-peers.ts";
import { follower } from "../../../support/builders/follower.ts";
import { startMs } from "../../../support/builders/forked-nodes.ts";

test("a call of PeerHub finds its method, and only those that are listed", async () => {
  const { calls } = follower({ startMs });
  expect(await answerHubCall(calls, "standing", [])).toEqual(await calls.standing());
  expect(await answerHubCall(calls, "lastBlockIds", [1])).toEqual([(await calls.standing()).tipId]);
  for (const method of ["constructor", "toString", "call", "__proto__", ""])
    await expect(answerHubCall(calls, method, [])).rejects.toThrow(`ChainState has no method ${method} for peers`);
});

test("PeerHub is notified by method name, and a failure is only logged", async () => {
  const event: ChainNews = { standing: await follower({ startMs }).calls.standing() };
  const told = vi.fn(async (_: ChainNews) => {});
  const getByName = vi.fn(() => ({ told }) as unknown as DurableObjectStub);
  await hubListener({ getByName }).told(event);
  expect(getByName).toHaveBeenCalledWith(PEER_HUB_NAME);
  expect(told).toHaveBeenCalledWith(event);
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  told.mockRejectedValueOnce(new Error("away"));
  await expect(hubListener({ getByName }).told(event)).resolves.toBeUndefined();
  expect(logged).toHaveBeenCalledWith(expect.stringContaining("PeerHub was not notified"));
  logged.mockRestore();
});
