/** The object of a simulated node's chain. */
import { Node } from "../../../durable/chain-state/node.ts";
import { PeerCalls } from "../../../durable/chain-state/peers/peer-calls.ts";
import { PeerCount } from "../../../durable/chain-state/peers/peer-count.ts";
import type { ReadModelSink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import type { ChainForPeers, ChainListener } from "../../../src/rpc/chain-for-peers.ts";
import { type FailingDatabase, failingDatabase } from "../../sqlite/failing-database.ts";
import type { NodeDatabase } from "../../sqlite/node-database.ts";
import type { Lifetime } from "./lifetime.ts";
import type { MachineOptions } from "./machine-options.ts";

export interface ChainObject {
  readonly lifetime: Lifetime;
  readonly node: Node;
  readonly database: FailingDatabase;
  readonly calls: ChainForPeers;
}

export interface ChainObjectOptions {
  readonly lifetime: Lifetime;
  readonly machine: Pick<MachineOptions, "index" | "isLight" | "world" | "random">;
  readonly nowMs: () => number;
  readonly storage: NodeDatabase;
  /** Number of statements after which no more writes take effect. */
  readonly deadAfter: number | undefined;
  readonly wakeAt: (timeMs: number) => void;
  readonly peers: ChainListener;
  /** Default: responds at once and discards the rows. */
  readonly readModel?: ReadModelSink;
}

const nowhere: ReadModelSink = { batch: async (statements) => statements.map(() => []) };

export function openChainObject({
  lifetime,
  machine,
  nowMs,
  storage,
  deadAfter,
  wakeAt,
  peers,
  readModel = nowhere,
}: ChainObjectOptions): ChainObject {
  const { world, index, isLight, random } = machine;
  const database = failingDatabase(storage);
  if (deadAfter !== undefined) database.fail({ kind: "dead", after: deadAfter });
  const count = new PeerCount(nowMs);
  const node = new Node({
    settings: { name: "simulation", blockchain: world.blockchain, node: { ...world.node, isLight } },
    walletSeed: world.walletSeeds[index],
    database,
    readModel,
    nowMs,
    random: (sizeBytes) => random.bytes(sizeBytes),
    wakeAt: async (timeMs) => wakeAt(timeMs),
    connectedPeers: () => count.peers,
    peers,
  });
  return { lifetime, node, database, calls: new PeerCalls({ node, count, nowMs }) };
}
