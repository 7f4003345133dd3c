/** A generated network with simulated nodes: one with faults, others without. */
import type { ReadModelSink } from "../../durable/chain-state/publish/read-model-sink.ts";
import { privateNetwork } from "../../src/network/networks/private.ts";
import type { NodeSettings } from "../../src/network/settings.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import { ChainWorld, type KnownNames } from "../chain-generator/chain-world.ts";
import { type GeneratedAccounts, makeAccounts } from "../chain-generator/generated-accounts.ts";
import {
  type ChainVariant,
  type GeneratedNetwork,
  makeNetwork,
  supportedAt,
} from "../chain-generator/generated-network.ts";
import { SeededRandom } from "../chain-generator/seeded-random.ts";
import { SimulatedNode } from "../simulation/simulated-node.ts";
import type { TestDatabase } from "../sqlite/test-database.ts";

/** Rollback depth at which history expires within a run. */
const shortRollbackDepth = 20;

/** @param blocks within which the features of a staged chain activate */
export function makeWorld(variant: ChainVariant, seed: number, blocks: number): GeneratedWorld {
  const random = new SeededRandom(`${variant}/${seed}`);
  const accounts = makeAccounts(seed, privateNetwork.blockchain.chainId);
  return new GeneratedWorld(makeNetwork(variant, seed, { blocks, random, accounts }), accounts, shortRollbackDepth);
}

export interface WorldNodeOptions {
  /** Seed of its random numbers. */
  readonly name: string;
  /** Number of the network's generators that it has. */
  readonly generators: number;
  readonly startMs: number;
  readonly database?: TestDatabase;
  readonly readModel?: ReadModelSink;
  readonly wakeAt?: (timeMs: number) => Promise<void>;
}

export class GeneratedWorld {
  readonly network: GeneratedNetwork;
  readonly accounts: GeneratedAccounts;
  readonly #maxRollbackDepth: number;
  readonly known: KnownNames = { assets: [], leases: [], aliases: [], transactions: [], dApps: new Map() };
  readonly genesisMs: number;

  /** @param maxRollbackDepth of all nodes */
  constructor(network: GeneratedNetwork, accounts: GeneratedAccounts, maxRollbackDepth: number) {
    this.network = network;
    this.accounts = accounts;
    this.#maxRollbackDepth = maxRollbackDepth;
    this.genesisMs = Number(network.settings.blockchain.genesis.blockTimestampMs);
  }

  node({ name, generators, ...options }: WorldNodeOptions): SimulatedNode {
    const { network } = this;
    const { blockchain, node: settings } = network.settings;
    const random = new SeededRandom(name);
    let made: SimulatedNode | undefined;
    const node: NodeSettings = {
      ...settings,
      maxRollbackDepth: this.#maxRollbackDepth,
      walletAccounts: generators,
      get supportedFeatures() {
        return supportedAt(network, made?.height ?? 0);
      },
    };
    made = new SimulatedNode({ blockchain, node, random: (sizeBytes) => random.bytes(sizeBytes), ...options });
    return made;
  }

  /** Generators of transactions on a state. @param nowMs their clock */
  chainWorld(view: StateView, random: SeededRandom, nowMs: () => number): ChainWorld {
    return new ChainWorld({ view, random, accounts: this.accounts, nowMs, known: this.known });
  }
}
