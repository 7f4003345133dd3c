/** The object of a simulated node's peers. */

import type { Timers } from "../../../durable/peer-hub/connection.ts";
import { Peering } from "../../../durable/peer-hub/peering.ts";
import { SqlPeerStorage } from "../../../durable/peer-hub/sql-peer-storage.ts";
import type { SqlDatabase } from "../../../durable/sql/sql-database.ts";
import { defaultPeerSettings, defaultSynchronizationSettings } from "../../../src/network/peer-settings.ts";
import type { ChainForPeers } from "../../../src/rpc/chain-for-peers.ts";
import type { NodeDatabase } from "../../sqlite/node-database.ts";
import type { Lifetime } from "./lifetime.ts";
import type { MachineOptions } from "./machine-options.ts";

export interface PeersObject {
  readonly lifetime: Lifetime;
  readonly peering: Peering;
}

export interface PeersObjectOptions {
  readonly lifetime: Lifetime;
  readonly machine: MachineOptions;
  readonly timers: Timers;
  readonly storage: NodeDatabase;
  readonly chain: ChainForPeers;
}

const version = { major: 1, minor: 5, patch: 7 };

/** A database on which writes after the end have no effect. */
function whileLiving({ exec, transaction }: NodeDatabase, life: Lifetime): SqlDatabase {
  const nothing = { raw: () => [].values() };
  return {
    exec: (query, ...bindings) => (life.isOver ? nothing : exec(query, ...bindings)),
    transaction: (run) => (life.isOver ? run() : transaction(run)),
  };
}

export function openPeersObject({ lifetime, machine, timers, storage, chain }: PeersObjectOptions): PeersObject {
  const { world, host, random, knownPeers, index, isLight } = machine;
  const { chainId, schemeCharacter } = world.blockchain;
  const peering = new Peering({
    settings: {
      ...defaultPeerSettings,
      knownPeers,
      nodeName: `node ${index + 1}`,
      declaredAddress: `${host.name}:${host.address.port}`,
    },
    synchronization: defaultSynchronizationSettings,
    chainId,
    applicationName: `waves${schemeCharacter}`,
    version,
    transport: host,
    timers,
    random: (sizeBytes) => random.bytes(sizeBytes),
    storage: new SqlPeerStorage(whileLiving(storage, lifetime)),
    chain,
    isLight,
  });
  return { lifetime, peering };
}
