/** ChainState inside workerd, called by PeerHub. */
import { reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { ChainState } from "../../../durable/chain-state/chain-state.ts";
import { CHAIN_STATE_NAME, type Env } from "../../../src/env.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import type { ChainTip } from "../../../src/rpc/chain-for-peers.ts";

afterEach(async () => {
  await reset();
});

/** Runs with an object that has these bindings in addition to the tests'. */
function inChainState<Result>(
  bindings: Partial<Env>,
  run: (chain: ChainState, state: DurableObjectState) => Promise<Result>,
): Promise<Result> {
  return runInDurableObject(env.CHAIN_STATE.getByName(CHAIN_STATE_NAME), (_, state) =>
    run(new ChainState(state, { ...env, ...bindings } as Env), state),
  );
}

/** Address reserved for documentation: no node responds there. */
const amongPeers = { PEERS: "203.0.113.1:6868" };

test("without peers it responds to no call of a peer", async () => {
  await inChainState({}, (chain) => expect(chain.callFromPeers("chainTip", [])).rejects.toThrow("has no P2P network"));
});

test("an extension that memory does not hold waits in the object's database, and is gone once it is validated", async () => {
  await inChainState(amongPeers, async (chain, { storage }) => {
    const before = (await chain.callFromPeers("chainTip", [])) as ChainTip;
    const hasTable = () => storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'held_part'").toArray().length;
    const part = { blocks: encodeBlockRecord(new Uint8Array(3_000_000).fill(1)), verified: "ff", name: "x" };
    expect(await chain.callFromPeers("applyExtension", [{ ...part, isLast: false }])).toBe("more");
    expect(hasTable()).toBe(0);
    expect(await chain.callFromPeers("applyExtension", [{ ...part, isLast: false }])).toBe("more");
    expect(hasTable()).toBe(1);
    const verdict = await chain.callFromPeers("applyExtension", [{ ...part, isLast: true }]);
    expect(verdict).toMatchObject({ kind: "refused", isInvalid: true });
    expect(hasTable()).toBe(0);
    expect(await chain.callFromPeers("chainTip", [])).toEqual(before);
  });
});
