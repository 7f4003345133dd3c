/** Block production and clock of a dev chain, on simulated nodes. */
import { describe, expect, test, vi } from "vitest";
import { addressOfPublicKey } from "../../../../src/crypto/address.ts";
import type { SubmissionResult } from "../../../../src/env.ts";
import { LAST_CHOSEN_TIME_MS, LAST_TIME_MS } from "../../../../src/network/dev-settings.ts";
import type { TransferTransaction } from "../../../../src/protocol/transactions/transaction.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { poorKey, signedTransfer } from "../../../support/builders/signed-transfer.ts";
import { SimulatedDevChain } from "../../../support/builders/simulated-dev-chain.ts";

const accepted: SubmissionResult = { accepted: true, isNew: true };
const manual = { automine: false, intervalMs: null };
const poorAddress = addressOfPublicKey(poorKey.publicKey, 82);
const tooMuch = 10n ** 18n;
const yearMs = 365 * 86_400_000;
const chainTables = stateTables.map(({ name }) => name);

let amounts = 1n;
const transfer = (fields: Partial<Parameters<typeof signedTransfer>[0]> = {}): TransferTransaction =>
  signedTransfer({ timestamp: 1_700_000_000_000n, amount: ++amounts, ...fields });

describe("automine: a block for each transaction", () => {
  test("is published when the broadcast resolves, in one publication", async () => {
    const chain = new SimulatedDevChain();
    await chain.node.drain();
    const batches = chain.batches.length;
    for (let height = 2; height < 6; height++) {
      const sent = transfer();
      expect(await chain.broadcast(sent)).toEqual([accepted]);
      expect(chain.height).toBe(height);
      expect(chain.readHeight(sent)).toBe(height);
    }
    expect(chain.batches.length - batches).toBe(4);
    expect(chain.node.pool.size).toBe(0);
  });

  test("is one for each transaction of a batch, in their order, and each builds on those before", async () => {
    const chain = new SimulatedDevChain();
    const transfers = [
      transfer({ to: poorKey, amount: 200_000n }),
      transfer({ key: poorKey, amount: 1n, fee: 100_000n }),
      ...Array.from({ length: 20 }, () => transfer()),
    ];
    expect(await chain.broadcast(...transfers)).toEqual(transfers.map(() => accepted));
    expect(transfers.map((sent) => chain.readHeight(sent))).toEqual(transfers.map((_, at) => at + 2));
  });

  test("is none for a transaction that is refused or already known", async () => {
    const chain = new SimulatedDevChain();
    const sent = transfer();
    await chain.broadcast(sent);
    const before = chain.database.dump(chainTables);
    const [refused] = await chain.broadcast(transfer({ amount: tooMuch }));
    expect(refused).toMatchObject({ accepted: false });
    expect(await chain.broadcast(sent)).toMatchObject([{ accepted: false }]);
    expect(chain.height).toBe(2);
    expect(chain.database.dump(chainTables)).toBe(before);
    await chain.advance(1_000);
    expect(await chain.node.status()).toMatchObject({ unpublishedMs: 0 });
    expect(await chain.broadcast(transfer())).toEqual([accepted]);
    expect(chain.height).toBe(3);
  });

  test("keeps the settings of the next block for that one if the transaction is refused", async () => {
    const chain = new SimulatedDevChain();
    const timeMs = chain.wallMs + yearMs;
    await chain.dev.setTime(timeMs);
    expect(await chain.broadcast(transfer({ amount: tooMuch }))).toMatchObject([{ accepted: false }]);
    chain.wallMs += 5_000;
    await chain.broadcast(transfer());
    expect([chain.height, chain.timestampMs()]).toEqual([2, timeMs]);
  });

  test("goes on after a restart, and may be switched off and on", async () => {
    const chain = new SimulatedDevChain();
    expect(await chain.dev.setMiningMode({ automine: false })).toMatchObject({ automine: false, intervalMs: null });
    chain.restart();
    const waiting = transfer();
    expect(await chain.broadcast(waiting)).toEqual([accepted]);
    await chain.advance(60_000);
    expect(chain.height).toBe(1);
    expect(chain.node.pool.size).toBe(1);
    await chain.dev.setMiningMode({ automine: true });
    expect(chain.readHeight(waiting)).toBe(2);
    chain.restart();
    const next = transfer();
    await chain.broadcast(next);
    expect(chain.readHeight(next)).toBe(3);
  });

  test("is none if the node makes no blocks, and the transaction waits", async () => {
    const chain = new SimulatedDevChain();
    chain.node.mine(false);
    expect(await chain.broadcast(transfer())).toEqual([accepted]);
    expect(chain.height).toBe(1);
    expect(await chain.dev.mine(1, 0)).toMatchObject({ kind: "done", height: 2 });
    expect(chain.node.pool.size).toBe(0);
  });

  test("does not delay the response to the broadcast if the read model does not respond", async () => {
    const chain = new SimulatedDevChain();
    chain.readModel.exec("ALTER TABLE tx RENAME TO away");
    expect(await chain.broadcast(transfer())).toEqual([accepted]);
    expect(chain.height).toBe(2);
  });
});

describe("mining", () => {
  test("puts all the pool has into the first block, and publishes all blocks", async () => {
    const chain = new SimulatedDevChain({ defaultMiningMode: manual });
    const waiting = [transfer(), transfer()];
    await chain.broadcast(...waiting);
    expect(await chain.dev.mine(130, 0)).toEqual({ kind: "done", height: 131, timeMs: chain.clock.nowMs() });
    expect(waiting.map((sent) => chain.readHeight(sent))).toEqual([2, 2]);
    expect(chain.readModel.prepare("SELECT height FROM chain").get()).toEqual({ height: 131 });
    chain.restart();
    expect(chain.height).toBe(131);
  });

  test("lets other calls run while publishing is impossible", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const chain = new SimulatedDevChain({ defaultMiningMode: manual });
    await chain.node.drain();
    chain.readModel.exec("ALTER TABLE block RENAME TO away");
    await chain.broadcast(transfer());
    await chain.node.publish();
    const heights: number[] = [];
    const mined = chain.dev.mine(300, 0).catch(String);
    const looking = setInterval(() => heights.push(chain.height), 0);
    await mined;
    clearInterval(looking);
    expect(new Set(heights).size).toBeGreaterThan(1);
    expect(chain.height).toBe(301);
    vi.restoreAllMocks();
  });

  test("leaves the requested time between blocks, and moves the clock with them", async () => {
    const chain = new SimulatedDevChain({ defaultMiningMode: manual });
    await chain.dev.mine(1, 0);
    await chain.dev.mine(5, 60_000);
    const times = [2, 3, 4, 5, 6, 7].map((height) => chain.timestampMs(height));
    expect(times).toEqual(times.map((_, at) => (times[0] as number) + at * 60_000));
    expect(chain.clock.nowMs()).toBe(chain.timestampMs());
  });

  test("puts the clock forward by at most a millisecond for each block", async () => {
    const chain = new SimulatedDevChain({ defaultMiningMode: manual });
    await chain.dev.mine(70, 0);
    expect(chain.clock.nowMs() - chain.wallMs).toBe(69);
  });

  test("is refused with a message if no account can mine", async () => {
    const chain = new SimulatedDevChain();
    const [account] = chain.node.wallet?.accounts() ?? [];
    if (account === undefined) throw new Error("the wallet has an account");
    chain.node.wallet?.delete(account.address);
    chain.node.miner.accountsChanged();
    const reason = "no block can be made: the wallet has no accounts";
    expect(await chain.dev.mine(1, 0)).toEqual({ kind: "refused", reason });
    // A transaction then waits for a later block.
    expect(await chain.broadcast(transfer())).toEqual([accepted]);
    expect(chain.node.pool.size).toBe(1);
  });
});

describe("a state that replaces the chain's", () => {
  /** Chain on which `act` runs once, during the publication of the last block. */
  function chainThatIsDisturbed(act: (chain: SimulatedDevChain) => Promise<unknown>) {
    let disturb = async () => {};
    const chain: SimulatedDevChain = new SimulatedDevChain({ onBatch: () => disturb() });
    const acts: Promise<unknown>[] = [];
    const arm = () => {
      disturb = async () => {
        disturb = async () => {};
        // The current publication does not wait for it.
        acts.push(act(chain));
      };
    };
    return { chain, arm, results: () => Promise.all(acts) };
  }

  test("ends mining with a refusal", async () => {
    const { chain, arm, results } = chainThatIsDisturbed((each) => each.dev.reset());
    await chain.dev.start({});
    await chain.node.drain();
    arm();
    const reason = "the state was replaced meanwhile";
    expect(await chain.dev.mine(1_000, 0)).toEqual({ kind: "refused", reason });
    expect(await results()).toMatchObject([{ kind: "done", height: 2 }]);
    expect(chain.height).toBe(2);
    expect(await chain.dev.mine(1, 0)).toMatchObject({ kind: "done", height: 3 });
  });

  test("keeps the mining mode of the restored state, if pending transactions were to be mined", async () => {
    const { chain, arm, results } = chainThatIsDisturbed((each) => each.dev.revert("waiting"));
    await chain.dev.start({ automine: true, intervalMs: 7_000 });
    await chain.dev.snapshot("waiting");
    await chain.dev.setMiningMode({ automine: false, intervalMs: null });
    await chain.broadcast(transfer());
    arm();
    expect(await chain.dev.setMiningMode({ automine: true })).toMatchObject({ kind: "refused" });
    await results();
    expect(await chain.dev.status()).toMatchObject({ height: 2, automine: true, intervalMs: 7_000 });
  });

  test("ends waiting for WAVES: no block of another state brings them", async () => {
    const { chain, arm, results } = chainThatIsDisturbed((each) => each.dev.revert("before"));
    await chain.dev.start({});
    await chain.dev.snapshot("before");
    await chain.dev.mine(3, 0);
    arm();
    const reason = "the state was replaced meanwhile";
    expect(await chain.dev.fund(poorAddress, 1n)).toEqual({ kind: "refused", reason });
    await results();
    expect(chain.height).toBe(2);
  });

  test.each<[string, (chain: SimulatedDevChain, dump: string) => Promise<unknown>]>([
    ["a reset", (chain) => chain.dev.reset()],
    ["a revert", (chain) => chain.dev.revert("here")],
    [
      "a load",
      (chain, dump) => chain.dev.load({ load: undefined, lines: dump.split("\n").slice(0, -1), isLast: true }),
    ],
  ])("resolves %s with its height, even if another block comes before readers see it", async (_, exchange) => {
    const { chain, arm, results } = chainThatIsDisturbed((each) => each.broadcast(transfer()));
    await chain.dev.start({});
    await chain.dev.snapshot("here");
    const dump = await chain.dev.dump(undefined);
    if (dump.kind === "refused" || dump.next !== undefined) throw new Error("the dump has one part");
    await chain.dev.mine(3, 0);
    arm();
    expect(await exchange(chain, dump.lines)).toMatchObject({ kind: "done", height: 2 });
    expect(await results()).toEqual([[accepted]]);
    expect(chain.height).toBe(3);
  });
});

describe("blocks by time", () => {
  test("come after this much wall-clock time, also after a restart", async () => {
    const chain = new SimulatedDevChain({ defaultMiningMode: { automine: true, intervalMs: 10_000 } });
    await chain.dev.start({});
    expect(chain.height).toBe(2);
    await chain.node.wake();
    await chain.advance(9_999);
    expect(chain.height).toBe(2);
    chain.restart();
    await chain.advance(1);
    expect(chain.height).toBe(3);
    await chain.advance(100_000);
    expect(chain.height).toBe(13);
    await chain.dev.setMiningMode({ intervalMs: null });
    await chain.advance(100_000);
    expect(chain.height).toBe(13);
  });

  test("do not come sooner when the chain's clock is put forward", async () => {
    const chain = new SimulatedDevChain({ defaultMiningMode: { automine: true, intervalMs: 10_000 } });
    await chain.dev.start({});
    await chain.dev.increaseTime(86_400_000);
    await chain.advance(9_999);
    expect(chain.height).toBe(2);
    await chain.advance(1);
    expect(chain.height).toBe(3);
    expect(chain.timestampMs()).toBe(chain.wallMs + 86_400_000);
  });

  test("wake the node at least once a day, however far apart they are, and a shorter interval takes effect at once", async () => {
    const chain = new SimulatedDevChain({ defaultMiningMode: { automine: true, intervalMs: 400 * 86_400_000 } });
    await chain.dev.start({});
    expect(chain.alarmMs).toBe(chain.wallMs + 86_400_000);
    await chain.advance(2 * 86_400_000);
    expect(chain.height).toBe(2);
    await chain.dev.setMiningMode({ intervalMs: 1 });
    expect(chain.alarmMs).toBe(chain.wallMs + 1);
    await chain.advance(1);
    expect(chain.height).toBe(3);
  });

  test("are filled at once, if transactions have no blocks of their own", async () => {
    const chain = new SimulatedDevChain({ defaultMiningMode: { automine: false, intervalMs: 10_000 } });
    await chain.dev.start({});
    for (const sent of [transfer(), transfer()]) {
      await chain.broadcast(sent);
      expect([chain.readHeight(sent), chain.height]).toEqual([2, 2]);
    }
    await chain.advance(10_000);
    const sent = transfer();
    await chain.broadcast(sent);
    expect([chain.readHeight(sent), chain.height]).toEqual([3, 3]);
  });

  test("are not filled by a node that makes no blocks", async () => {
    const chain = new SimulatedDevChain({ defaultMiningMode: { automine: false, intervalMs: 10_000 } });
    await chain.dev.start({});
    chain.node.mine(false);
    await chain.broadcast(transfer());
    expect(chain.node.pool.size).toBe(1);
  });
});

describe("the chain's time", () => {
  test("is the time that was set, and the next block has it", async () => {
    const chain = new SimulatedDevChain();
    await chain.broadcast(transfer());
    const timeMs = chain.wallMs + 365 * 86_400_000;
    expect(await chain.dev.setTime(timeMs)).toEqual({ kind: "done", timeMs });
    chain.restart();
    chain.wallMs += 5_000;
    await chain.broadcast(transfer());
    expect(chain.timestampMs()).toBe(timeMs);
    expect(await chain.dev.status()).toMatchObject({ timeMs: timeMs + 5_000 });
    await chain.broadcast(transfer());
    expect(chain.timestampMs()).toBe(timeMs + 5_000);
  });

  test("may be put back, but to no time before the tip", async () => {
    const chain = new SimulatedDevChain();
    await chain.broadcast(transfer());
    const tipMs = chain.timestampMs();
    await chain.dev.setTime(tipMs + 1_000_000);
    expect(await chain.dev.setTime(tipMs + 1_000)).toEqual({ kind: "done", timeMs: tipMs + 1_000 });
    await chain.broadcast(transfer());
    expect(chain.timestampMs()).toBe(tipMs + 1_000);
    const reason = `the last block's timestamp is ${tipMs + 1_000}, which is later than ${tipMs}`;
    expect(await chain.dev.setTime(tipMs)).toEqual({ kind: "refused", reason });
  });

  test("goes forward by the given time, once", async () => {
    const chain = new SimulatedDevChain();
    expect(await chain.dev.increaseTime(60_000)).toEqual({ kind: "done", timeMs: chain.wallMs + 60_000 });
    await chain.dev.setTime(chain.wallMs + 100_000);
    expect(await chain.dev.increaseTime(60_000)).toEqual({ kind: "done", timeMs: chain.wallMs + 160_000 });
    await chain.broadcast(transfer());
    expect(chain.timestampMs()).toBe(chain.wallMs + 160_000);
  });

  test("may be put forward to the end of the year 9998, and blocks go on after it", async () => {
    const chain = new SimulatedDevChain();
    const refused = { kind: "refused", reason: expect.stringContaining(String(LAST_CHOSEN_TIME_MS)) };
    expect(await chain.dev.setTime(LAST_CHOSEN_TIME_MS + 1)).toEqual(refused);
    await chain.dev.setTime(LAST_CHOSEN_TIME_MS - 3);
    expect(await chain.dev.mine(10, 1)).toEqual(refused);
    expect(await chain.dev.increaseTime(4)).toEqual(refused);
    expect(await chain.dev.mine(3, 1)).toMatchObject({ kind: "done", height: 4 });
    chain.wallMs += 1_000;
    expect(await chain.dev.increaseTime(1)).toEqual(refused);
    expect(await chain.dev.mine(10, 0)).toMatchObject({ kind: "done", height: 14 });
    expect(await chain.broadcast(transfer({ timestamp: BigInt(chain.timestampMs()) }))).toEqual([accepted]);
    expect(chain.height).toBe(15);
    const { timeMs } = await chain.dev.status();
    expect(await chain.dev.setTime(timeMs)).toEqual({ kind: "done", timeMs });
  });

  test("ends with the year 9999: no block is made after it, by any call", async () => {
    const chain = new SimulatedDevChain({ defaultMiningMode: { automine: true, intervalMs: 2 * yearMs } });
    await chain.dev.start({});
    await chain.dev.setTime(LAST_CHOSEN_TIME_MS);
    chain.wallMs += LAST_TIME_MS - LAST_CHOSEN_TIME_MS;
    const timestamp = BigInt(LAST_CHOSEN_TIME_MS);
    await chain.broadcast(transfer({ timestamp }));
    expect([chain.height, chain.timestampMs()]).toEqual([3, LAST_CHOSEN_TIME_MS]);
    chain.wallMs += 1;
    const reason = `no block can be made: the chain's time ends at ${LAST_TIME_MS}`;
    expect(await chain.dev.mine(1, 0)).toEqual({ kind: "refused", reason });
    expect(await chain.broadcast(transfer({ timestamp }))).toEqual([accepted]);
    await chain.dev.setMiningMode({ intervalMs: 1_000 });
    await chain.advance(10_000);
    expect(await chain.dev.fund(poorAddress, 1n)).toEqual({ kind: "refused", reason });
    expect(await chain.dev.setBalance(poorAddress, null, 1n)).toMatchObject({ kind: "done", height: 3 });
    expect(chain.height).toBe(3);
    expect(await chain.dev.setTime(LAST_CHOSEN_TIME_MS + 1)).toMatchObject({ kind: "done" });
    expect(await chain.dev.mine(1, 0)).toMatchObject({ kind: "done", height: 4 });
  });

  test("is taken from a loaded state, as far as it may be put forward", async () => {
    const late = new SimulatedDevChain();
    await late.dev.setTime(LAST_CHOSEN_TIME_MS - 1);
    const load = async (chain: SimulatedDevChain) => {
      const dump = await late.dev.dump(undefined);
      if (dump.kind === "refused" || dump.next !== undefined) throw new Error("the dump has one part");
      return chain.dev.load({ load: undefined, lines: dump.lines.split("\n").slice(0, -1), isLast: true });
    };
    const other = new SimulatedDevChain();
    expect(await load(other)).toMatchObject({ kind: "done" });
    expect(await other.dev.status()).toMatchObject({ timeMs: LAST_CHOSEN_TIME_MS - 1 });
    late.wallMs += 1_000;
    const early = new SimulatedDevChain({ wallMs: late.wallMs });
    const before = await early.dev.status();
    const reason = `the dump's time is ${LAST_CHOSEN_TIME_MS + 999}, and the chain's clock can be advanced to ${LAST_CHOSEN_TIME_MS} at most`;
    expect(await load(early)).toEqual({ kind: "refused", reason });
    expect(await early.dev.status()).toEqual(before);
    expect(await load(late)).toMatchObject({ kind: "done" });
  });

  test("does not run backwards with the wall clock, also not over a restart", async () => {
    const chain = new SimulatedDevChain();
    await chain.broadcast(transfer());
    const timeMs = chain.clock.nowMs();
    chain.wallMs -= 3_600_000;
    expect(chain.clock.nowMs()).toBe(timeMs);
    chain.wallMs += 1_000;
    expect(chain.clock.nowMs()).toBe(timeMs + 1_000);
    await chain.broadcast(transfer());
    chain.wallMs -= 3_600_000;
    chain.restart();
    expect(chain.clock.nowMs()).toBeGreaterThanOrEqual(chain.timestampMs());
    await chain.broadcast(transfer());
    expect(chain.height).toBe(4);
  });

  test("wakes the node by the wall clock", async () => {
    const chain = new SimulatedDevChain({ defaultMiningMode: { automine: true, intervalMs: 10_000 } });
    await chain.dev.start({});
    await chain.dev.setTime(chain.wallMs + 1_000_000_000);
    await chain.node.wake();
    expect(chain.alarmMs).toBe(chain.wallMs + 10_000);
  });
});
