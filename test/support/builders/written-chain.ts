/** Chain of all kinds of transactions, the checkpoint of one of its states, and the blocks after it. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { type WriteResult, writeCheckpoint } from "../../../local/checkpoint/write-checkpoint.ts";
import type { ChainVariant } from "../../../verification/chain-generator/generated-network.ts";
import { CheckpointHost } from "../fakes/checkpoint-host.ts";
import { appendEvent, type ChainEvent, RandomChain } from "./random-chain.ts";

export interface WrittenChain {
  readonly random: RandomChain;
  readonly folder: string;
  readonly file: string;
  readonly written: WriteResult;
  /** Node of the same network that has only the genesis block. */
  emptyHost(): CheckpointHost;
  /** Lets the chain go on. @returns events after the checkpoint */
  goOn(rounds: number): readonly ChainEvent[];
  remove(): void;
}

/** Random chain whose tip has micro-blocks, and its checkpoint. */
export async function writtenChain(
  seed: number,
  rounds: number,
  variant: ChainVariant = "active",
): Promise<WrittenChain> {
  const random = new RandomChain(variant, seed);
  grow(random, rounds);
  random.run({ kind: "transactions", count: 6 });
  random.run({ kind: "microBlock" });
  const folder = mkdtempSync(path.join(os.tmpdir(), "checkpoint-"));
  const file = path.join(folder, "made.checkpoint");
  const { database, nowMs } = random.node;
  const host = new CheckpointHost(random.settings, { nowMs, database });
  const written = await writeCheckpoint(host.call, file, "all", () => {});
  const eventsBefore = random.events.length;
  return {
    ...{ random, folder, file, written },
    emptyHost: () => new CheckpointHost(random.settings, { nowMs: random.node.nowMs }),
    goOn: (more) => {
      grow(random, more);
      return random.events.slice(eventsBefore);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export { appendEvent };

function grow(random: RandomChain, rounds: number): void {
  for (let round = 0; round < rounds; round++) {
    random.run({ kind: "transactions", count: 6 });
    random.run({ kind: "microBlock" });
    random.run({ kind: "transactions", count: 3 });
    random.run({ kind: "microBlock" });
    random.run({ kind: "keyBlock", generator: round % 3, dropped: round % 4 === 3 ? 1 : 0 });
  }
}
