/** Light nodes started from a checkpoint of a full one, and the other way round. */
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withSnapshots } from "../../../durable/chain-state/chain/append-context.ts";
import { readCheckpoint } from "../../../local/checkpoint/read-checkpoint.ts";
import { writeCheckpoint } from "../../../local/checkpoint/write-checkpoint.ts";
import { checkpointPasts } from "../../../src/env.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { encodeSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { forge } from "../../support/builders/forged-checkpoint.ts";
import { withoutPast } from "../../support/builders/without-past.ts";
import { type WrittenChain, writtenChain } from "../../support/builders/written-chain.ts";
import { CheckpointHost } from "../../support/fakes/checkpoint-host.ts";

const noProgress = () => {};
/**
 * Tables with data that only the execution gives (`tx`: values and costs of calls) or that only a receiver of
 * micro-blocks has.
 */
const unlike: ReadonlySet<string> = new Set(["tx", "tx_address", "micro_block"]);
const tables = stateTables.map(({ name }) => name).filter((name) => !unlike.has(name));

interface Sent {
  readonly block: Block;
  readonly snapshots: readonly Uint8Array[];
}

let written: WrittenChain;
let sent: readonly Sent[];
beforeAll(async () => {
  written = await writtenChain(9, 8);
  // The tip of the checkpoint stays as it is: whole blocks follow.
  written.random.run({ kind: "keyBlock", generator: 0, dropped: 0 });
  written.goOn(6);
  const { stored, view } = written.random.node.chain;
  const { height } = written.written;
  sent = Array.from({ length: view.height - height }, (_, index) => {
    const at = height + 1 + index;
    return {
      block: stored.findBlock(at) as Block,
      snapshots: stored.findStateSnapshots(at, 0, Number.MAX_SAFE_INTEGER) ?? [],
    };
  });
});
afterAll(() => written.remove());

async function lightHost(file: string): Promise<CheckpointHost> {
  const { node, ...settings } = written.random.settings;
  const host = new CheckpointHost(
    { ...settings, node: { ...node, isLight: true } },
    { nowMs: written.random.node.nowMs },
  );
  await readCheckpoint(host.call, file, undefined, noProgress);
  return host;
}

function follow({ node }: CheckpointHost): void {
  for (const { block, snapshots } of sent) {
    const context = { nowMs: node.nowMs, verifySignatures: true };
    node.node.append(block, withSnapshots(context, block, encodeSnapshotRecord(snapshots)));
  }
}

test.each(checkpointPasts)("a light node that began with one whose past is %s follows the full one", async (past) => {
  const file = path.join(written.folder, past);
  await forge(written.file, file, past === "all" ? {} : withoutPast(written.written.height - 2));
  const host = await lightHost(file);
  expect(host.node.height).toBe(written.written.height);
  expect(sent.flatMap(({ block }) => block.transactions).length).toBeGreaterThan(20);
  expect(sent.flatMap(({ snapshots }) => snapshots).length).toBeGreaterThan(20);
  follow(host);
  const { chain } = written.random.node;
  expect(host.node.chain.stored.tip()).toEqual(chain.stored.tip());
  if (past === "all") expect(host.database.dump(tables)).toBe(written.random.node.database.dump(tables));
});

test("a full node goes on with the checkpoint of a light one", async () => {
  const light = await lightHost(written.file);
  follow(light);
  const file = path.join(written.folder, "of-light");
  await writeCheckpoint(light.call, file, "all", noProgress);
  const event = written.random.run({ kind: "keyBlock", generator: 1, dropped: 0 });
  if (event?.kind !== "keyBlock") throw new Error("it was its turn");
  const host = written.emptyHost();
  await readCheckpoint(host.call, file, undefined, noProgress);
  host.node.append(event.block);
  expect(host.node.chain.stored.tip()).toEqual(written.random.node.chain.stored.tip());
  expect(host.database.dump(tables)).toBe(written.random.node.database.dump(tables));
});
