/** A made network of which some nodes are simulated: the one that has faults, and others that have none. */
import type { ReadModelSink } from "../../../durable/publish/read-model-sink.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { NodeSettings } from "../../../src/network/settings.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { ChainWorld, type KnownNames } from "../chain-maker/chain-world.ts";
import { type MadeAccounts, makeAccounts } from "../chain-maker/made-accounts.ts";
import { type ChainVariant, type MadeNetwork, makeNetwork, supportedAt } from "../chain-maker/made-network.ts";
import { SeededRandom } from "../chain-maker/seeded-random.ts";
import { SimulatedNode } from "../simulation/simulated-node.ts";
import type { TestDatabase } from "../sqlite/test-database.ts";

/** Small enough for history to leave the tables while a run lasts. */
const shortRollbackDepth = 20;

/** @param blocks by which the features of a staged chain are in force */
export function makeWorld(variant: ChainVariant, seed: number, blocks: number): MadeWorld {
  const random = new SeededRandom(`${variant}/${seed}`);
  const accounts = makeAccounts(seed, privateNetwork.blockchain.chainId);
  return new MadeWorld(makeNetwork(variant, seed, { blocks, random, accounts }), accounts, shortRollbackDepth);
}

export interface NodeWish {
  /** Whose luck it has. */
  readonly name: string;
  /** How many of the network's generators it has. */
  readonly generators: number;
  readonly startMs: number;
  readonly database?: TestDatabase;
  readonly readModel?: ReadModelSink;
  readonly wakeAt?: (timeMs: number) => Promise<void>;
}

export class MadeWorld {
  readonly network: MadeNetwork;
  readonly accounts: MadeAccounts;
  readonly #maxRollbackDepth: number;
  readonly known: KnownNames = { assets: [], leases: [], aliases: [], transactions: [], dApps: new Map() };
  readonly genesisMs: number;

  /** @param maxRollbackDepth of all nodes */
  constructor(network: MadeNetwork, accounts: MadeAccounts, maxRollbackDepth: number) {
    this.network = network;
    this.accounts = accounts;
    this.#maxRollbackDepth = maxRollbackDepth;
    this.genesisMs = Number(network.settings.blockchain.genesis.blockTimestampMs);
  }

  node({ name, generators, ...wish }: NodeWish): SimulatedNode {
    const { network } = this;
    const { blockchain, node: settings } = network.settings;
    const luck = new SeededRandom(name);
    let made: SimulatedNode | undefined;
    const node: NodeSettings = {
      ...settings,
      maxRollbackDepth: this.#maxRollbackDepth,
      walletAccounts: generators,
      get supportedFeatures() {
        return supportedAt(network, made?.height ?? 0);
      },
    };
    made = new SimulatedNode({ blockchain, node, random: (sizeBytes) => luck.bytes(sizeBytes), ...wish });
    return made;
  }

  /** Those who make transactions on a state. @param nowMs by their clocks */
  makers(view: StateView, random: SeededRandom, nowMs: () => number): ChainWorld {
    return new ChainWorld({ view, random, accounts: this.accounts, nowMs, known: this.known });
  }
}
