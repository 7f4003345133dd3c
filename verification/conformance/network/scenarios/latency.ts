/**
 * Latency of blocks through a node: one peer sends a block, another waits for it. Nothing else happens in the network;
 * the reference is measured in the same run with the same blocks. (The Go node accepts no block from a peer before it
 * has synced with one.)
 */
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { MinerStep } from "../../../../durable/chain-state/miner/miner.ts";
import { equalBytes } from "../../../../src/crypto/bytes.ts";
import type { BlockId, MicroBlock } from "../../../../src/protocol/blocks/block.ts";
import type { PeerMessage } from "../../../../src/protocol/messages/message-table.ts";
import { buildMicroBlockInv } from "../../../../src/protocol/messages/micro-block-inv.ts";
import { feeUnitWavelets } from "../../../../src/protocol/transactions/fee-units.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { ChainWorld } from "../../../chain-generator/chain-world.ts";
import type { GeneratedAccount } from "../../../chain-generator/generated-accounts.ts";
import { SimulatedNode } from "../../../simulation/simulated-node.ts";
import { contextOf } from "../followed-chain.ts";
import { NodeGroup } from "../node-group.ts";
import type { Scenario, Stage } from "../scenario.ts";
import { ScriptPeer } from "../script-peer.ts";
import { firstBusyHeight, makeShortNetwork, type NodeKind, type ShortNetwork } from "../short-network.ts";

const mostMs = 100;
const responseTimeoutMs = 5_000;
const pollMs = 20;
/** Pause between transactions, of which micro-blocks are made. */
const transactionPauseMs = 400;
/** The first blocks run code that has not run before. */
const warmUpBlocks = 5;

interface Passage {
  readonly kind: NodeKind;
  readonly group: NodeGroup;
  /** The sending and the receiving peer. */
  readonly sender: ScriptPeer;
  readonly receiver: ScriptPeer;
  /** Latencies, milliseconds. */
  readonly blocks: number[];
  readonly microBlocks: number[];
  lost: number;
}

export const latency: Scenario = {
  name: "latency",
  about: `a block from a peer is passed on within ${mostMs} ms at the median, timed beside the others`,
  needs: [],
  play: async (stage) => {
    const { programs } = stage;
    const network = makeShortNetwork(stage.seed, Date.now());
    const kinds: NodeKind[] = ["ours"];
    if (programs.library !== undefined) kinds.push("reference");
    const passages: Passage[] = [];
    try {
      for (const kind of kinds) passages.push(await passageThrough(stage, network, kind));
      await forgeThrough(stage, network, passages);
      return passages.flatMap((passage) => findLatencyErrors(stage, passage));
    } finally {
      for (const { group, sender, receiver } of passages) {
        sender.close();
        receiver.close();
        await group.stop();
      }
    }
  },
};

async function passageThrough({ programs, folder }: Stage, network: ShortNetwork, kind: NodeKind): Promise<Passage> {
  const members = [{ kind, isMining: false }];
  const group = await NodeGroup.started({ programs, network, folder: path.join(folder, kind), members });
  const { peerAddress } = group.node(kind);
  const context = contextOf(network);
  const before = await ScriptPeer.connected(peerAddress, context, "before");
  const behind = await ScriptPeer.connected(peerAddress, context, "behind");
  return { kind, group, sender: before, receiver: behind, blocks: [], microBlocks: [], lost: 0 };
}

/** Forges in this process in real time, and sends each block and micro-block through each of the nodes. */
async function forgeThrough(
  { sizes, random }: Stage,
  network: ShortNetwork,
  passages: readonly Passage[],
): Promise<void> {
  const { blockchain, node: settings } = network.settings;
  const forger = new SimulatedNode({ blockchain, node: settings, startMs: Date.now() });
  const world = new ChainWorld({ view: forger.chain.view, random, accounts: network.accounts, nowMs: Date.now });
  const { users, generators } = network.accounts;
  let nextTransactionMs = 0;
  let sentBlocks = 0;
  const send = async (message: PeerMessage, id: BlockId, times: (passage: Passage) => number[]): Promise<void> => {
    // One after the other: they share a processor.
    for (const passage of passages) {
      const ms = await timeOf(passage, message, id);
      if (ms !== undefined && sentBlocks > warmUpBlocks) times(passage).push(ms);
    }
  };
  while (sentBlocks < sizes.timedBlocks + warmUpBlocks) {
    await pause(pollMs);
    if (forger.height >= firstBusyHeight && performance.now() > nextTransactionMs) {
      nextTransactionMs = performance.now() + transactionPauseMs;
      const [sender, recipient] = [random.pick(users), random.pick(users)];
      const fields = { asset: null, amount: 1n, attachment: random.bytes(8), fee: feeUnitWavelets };
      const to = { kind: "address", address: recipient.address } as const;
      forger.broadcast(world.signed(sender, { type: TransactionType.Transfer, version: 3, recipient: to, ...fields }));
    }
    const step = stepOf(forger);
    if (step?.kind === "keyBlock") {
      sentBlocks++;
      await send({ kind: "block", value: step.block }, step.block.id, ({ blocks }) => blocks);
    } else if (step?.kind === "microBlock") {
      const { microBlock } = step;
      const author = generators.find(({ publicKey }) => equalBytes(publicKey, microBlock.sender)) as GeneratedAccount;
      const inv = buildMicroBlockInv(microBlock, author, (size) => random.bytes(size), blockchain.chainId);
      const stops = passages.map((passage) => serveMicroBlock(passage, microBlock));
      await send({ kind: "microBlockInv", value: inv }, microBlock.totalBlockId, ({ microBlocks }) => microBlocks);
      for (const stop of stops) stop();
    }
  }
}

/** The next step that is due by now. */
function stepOf(forger: SimulatedNode): MinerStep | undefined {
  const wakeMs = forger.miner.nextWakeMs(forger.nowMs);
  if (wakeMs === undefined || wakeMs > Date.now()) return undefined;
  forger.nowMs = Math.max(forger.nowMs, wakeMs);
  return forger.work();
}

/** Serves the micro-block to a node that requests it. @returns a function that stops it */
function serveMicroBlock({ sender }: Passage, microBlock: MicroBlock): () => void {
  return sender.listen(({ message }) => {
    if (message.kind === "getMicroBlock" && equalBytes(message.value, microBlock.totalBlockId))
      sender.send({ kind: "microBlock", value: microBlock });
  });
}

/** Time from sending the message until one of its kind with the id is received, ms; undefined if none came. */
async function timeOf(passage: Passage, sent: PeerMessage, id: BlockId): Promise<number | undefined> {
  const arrived = passage.receiver.next(({ message, atMs }) => {
    if (message.kind !== sent.kind) return undefined;
    const got =
      message.kind === "block" ? message.value.id : message.kind === "microBlockInv" && message.value.totalBlockId;
    return got && equalBytes(got, id) ? atMs : undefined;
  }, responseTimeoutMs);
  const startMs = performance.now();
  passage.sender.send(sent);
  const atMs = await arrived;
  if (atMs === undefined) passage.lost++;
  return atMs === undefined ? undefined : atMs - startMs;
}

function findLatencyErrors({ sizes, log }: Stage, { kind, blocks, microBlocks, lost }: Passage): string[] {
  log(`${kind}: blocks ${shares(blocks)}; micro-blocks ${shares(microBlocks)}; ${lost} not passed on`);
  // The other nodes are measured, not checked.
  if (kind !== "ours") return [];
  const faults: string[] = [];
  if (blocks.length < sizes.timedBlocks * 0.9)
    faults.push(`ours passed on ${blocks.length} of ${sizes.timedBlocks} blocks`);
  for (const [name, list] of Object.entries({ blocks, "micro-blocks": microBlocks }))
    if (share(list, 0.5) > mostMs)
      faults.push(`ours passes ${name} on in ${share(list, 0.5).toFixed(0)} ms at the median`);
  return faults;
}

function shares(list: readonly number[]): string {
  const [p50, p90] = [share(list, 0.5), share(list, 0.9)].map((ms) => ms.toFixed(1));
  return `p50 ${p50} ms, p90 ${p90} ms of ${list.length}`;
}

/** Quantile of the list at `part`; 0 for an empty list. */
function share(list: readonly number[], part: number): number {
  return list.toSorted((left, right) => left - right)[Math.floor(list.length * part)] ?? 0;
}
