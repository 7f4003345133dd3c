/** Script results of generated chains depend on the blocks, not on the micro-blocks that a node received them in. */
import { expect, test } from "vitest";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import type { DecidedFields } from "../../../verification/chain-generator/chain-world.ts";
import { binary, integer, text } from "../../../verification/chain-generator/ride/callable.ts";
import { compileRide } from "../../../verification/chain-generator/ride/compile-ride.ts";
import { allCallables, dAppSource } from "../../../verification/chain-generator/ride/dapp-sources.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { makeWorld } from "../../../verification/faults/generated-world.ts";
import { blocksOf } from "../../../verification/faults/rival.ts";

const lastHeight = 3;
const amount = 1_000_000_000_000n;
const fee = 10_000_000n;
const newestVersion = 8;

test("calls that look at the chain in a micro-block make the same state when the block comes whole", () => {
  const world = makeWorld("active", 1, lastHeight);
  const random = new SeededRandom("looks");
  const node = world.node({ name: "node", generators: 4, startMs: world.genesisMs });
  const transactionGenerators = world.chainWorld(node.chain.view, random, () => node.nowMs);
  const [payer, payee] = world.accounts.users;
  const [dApp] = world.accounts.dApps;
  if (payer === undefined || payee === undefined || dApp === undefined) throw new Error("a world has accounts");
  const submit = (sender: typeof payer, decided: DecidedFields) => {
    const transaction = transactionGenerators.signed(sender, decided);
    node.broadcast(transaction);
    return transaction;
  };
  /** Appends the pool as a micro-block. */
  const include = () => {
    while (node.pool.size > 0) node.step();
  };
  const pay = (from: typeof payer, to: typeof payer) =>
    submit(from, {
      type: TransactionType.Transfer,
      version: 3,
      recipient: { kind: "address", address: to.address },
      asset: null,
      amount,
      attachment: new Uint8Array(),
      fee: 5n * fee,
    });
  const looks = allCallables.filter(({ name }) => name === "look");
  const script = compileRide(dAppSource(random, newestVersion, looks));
  submit(dApp, { type: TransactionType.SetScript, version: 2, script, fee });
  node.mineTo(lastHeight);
  // Between the two micro-blocks the balance is lower than after any transaction of the second.
  pay(payer, payee);
  include();
  pay(payee, payer);
  const [account, nothing] = [binary(payer.address), binary(new Uint8Array(32))];
  const look = submit(dApp, {
    type: TransactionType.InvokeScript,
    version: 2,
    dApp: { kind: "address", address: dApp.address },
    call: { function: "look", args: [account, nothing, nothing, integer(lastHeight - 1), text("k")] },
    payments: [],
    fee,
  });
  include();
  expect(node.microBlocks.at(-1)?.microBlock.transactions.map(({ id }) => id)).toEqual([expect.anything(), look.id]);
  expect(node.chain.view.findTransaction(look.id)?.status).toBe("succeeded");
  const replay = world.node({ name: "replay", generators: 4, startMs: node.nowMs });
  for (const block of blocksOf(node, 2)) replay.append(block);
  expect(replay.chain.view.findStateHash(lastHeight)).toEqual(node.chain.view.findStateHash(lastHeight));
});
