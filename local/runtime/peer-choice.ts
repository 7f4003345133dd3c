/** With which other nodes a node on this machine speaks, and where they can connect to it. */
import { hasPeers } from "../../src/network/missing-peers.ts";
import { networkOfBinding, type PeerBindings } from "../../src/network/network-of-binding.ts";
import type { PeerSettings } from "../../src/network/peer-settings.ts";
import type { NetworkSettings } from "../../src/network/settings.ts";
import { NetworkSettingsError } from "../../src/network/settings-error.ts";
import type { StartFlags } from "../cli/start-flags.ts";
import { UsageError } from "../cli/usage-error.ts";
import { portRefused } from "./free-port.ts";
import type { NetworkChoice } from "./network-choice.ts";
import { type KnockingPeer, openPeerDoor, type PeerDoor } from "./peer-listener.ts";

export interface PeerWishes {
  readonly flags: Pick<StartFlags, "host" | "isHostGiven" | "peers" | "p2pPort">;
  /** Not of a dev chain, which has no peers. */
  readonly network: Pick<NetworkChoice, "binding">;
  /** The variable `PEERS`. */
  readonly peersVariable: string | undefined;
  /** Tells PeerHub of a connection. */
  readonly tell: (peer: KnockingPeer) => Promise<void>;
  /** Is given a sentence, where something is not as one may expect. */
  readonly say: (sentence: string) => void;
}

export interface PeerChoice {
  /** The network's, with what flags and variables say of peers. */
  readonly settings: NetworkSettings;
  /** Undefined: the node speaks with no others. */
  readonly door: PeerDoor | undefined;
  /** Of the Worker. */
  readonly bindings: Readonly<Record<string, string>>;
}

/** Where other nodes connect if nobody says otherwise. */
const usualPort = { private: 6860, other: 6868 } as const;

/**
 * Opens the door for other nodes. Where its port is taken, and no flag has asked for it, the node goes on without.
 * @throws UsageError the port that a flag has asked for is taken, or the variable names no nodes
 */
export async function choosePeers(wishes: PeerWishes): Promise<PeerChoice> {
  const { flags, network, peersVariable = "" } = wishes;
  const PEERS = flags.peers ?? peersVariable;
  const door = await openDoor(wishes, settingsWith(network, { PEERS }).node.peers);
  const bindings = { PEERS, LISTENS: door.address ?? "" };
  const settings = settingsWith(network, bindings);
  if (hasPeers(settings))
    return { settings, door, bindings: { ...bindings, PEER_BRIDGE: JSON.stringify(door.bridge) } };
  door.stop();
  return { settings, door: undefined, bindings };
}

async function openDoor({ flags, network, tell, say }: PeerWishes, settings: PeerSettings): Promise<PeerDoor> {
  const facts = { maxConnections: settings.maxInboundConnections, tell };
  const usual = network.binding === "private" ? usualPort.private : usualPort.other;
  const port = flags.p2pPort ?? settings.port ?? usual;
  if (port === 0) return openPeerDoor({ ...facts, listen: undefined });
  const host = flags.isHostGiven ? flags.host : (settings.bindAddress ?? flags.host);
  try {
    return await openPeerDoor({ ...facts, listen: { host, port } });
  } catch (error) {
    const refusal = portRefused(error as NodeJS.ErrnoException, host, port, "--p2p-port");
    // One settings file may be that of many nodes on this machine.
    if (flags.p2pPort !== undefined) throw refusal;
    say(`Other nodes cannot connect to this one. ${refusal.message}`);
    return openPeerDoor({ ...facts, listen: undefined });
  }
}

/** @throws UsageError */
function settingsWith({ binding }: PeerWishes["network"], bindings: PeerBindings): NetworkSettings {
  try {
    return networkOfBinding(binding, undefined, undefined, bindings);
  } catch (error) {
    if (error instanceof NetworkSettingsError) throw new UsageError(error.message);
    throw error;
  }
}
