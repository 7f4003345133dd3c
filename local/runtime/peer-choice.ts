/** Peers of a node on this machine, and the address where they can connect to it. */
import { hasPeers } from "../../src/network/missing-peers.ts";
import { networkOfBinding, type PeerBindings } from "../../src/network/network-of-binding.ts";
import type { PeerSettings } from "../../src/network/peer-settings.ts";
import type { NetworkSettings } from "../../src/network/settings.ts";
import { NetworkSettingsError } from "../../src/network/settings-error.ts";
import type { StartFlags } from "../cli/start-flags.ts";
import { UsageError } from "../cli/usage-error.ts";
import { portRefused } from "./free-port.ts";
import type { NetworkChoice } from "./network-choice.ts";
import { type InboundPeer, openPeerListener, type PeerListener } from "./peer-listener.ts";

export interface ChoosePeersOptions {
  readonly flags: Pick<StartFlags, "host" | "isHostGiven" | "peers" | "p2pPort">;
  /** Network of the node; never a dev chain, which has no peers. */
  readonly network: Pick<NetworkChoice, "binding">;
  /** The variable `PEERS`. */
  readonly peersVariable: string | undefined;
  /** Notifies PeerHub of a connection. */
  readonly onConnection: (peer: InboundPeer) => Promise<void>;
  /** Receives a message when the node starts otherwise than expected. */
  readonly warn: (sentence: string) => void;
}

export interface ChosenPeers {
  /** Settings of the network, changed by the flags and variables about peers. */
  readonly settings: NetworkSettings;
  /** Undefined: the node has no peers. */
  readonly listener: PeerListener | undefined;
  /** Bindings of the Worker. */
  readonly bindings: Readonly<Record<string, string>>;
}

/** Default P2P ports. */
const usualPort = { private: 6860, other: 6868 } as const;

/**
 * Opens the P2P listener. If its port is taken and was not set by a flag, the node goes on without a listener.
 * @throws UsageError when the port set by a flag is taken, or the variable `PEERS` is invalid
 */
export async function choosePeers(options: ChoosePeersOptions): Promise<ChosenPeers> {
  const { flags, network, peersVariable = "" } = options;
  const PEERS = flags.peers ?? peersVariable;
  const listener = await openListener(options, settingsWith(network, { PEERS }).node.peers);
  const bindings = { PEERS, LISTENS: listener.address ?? "" };
  const settings = settingsWith(network, bindings);
  if (hasPeers(settings))
    return { settings, listener: listener, bindings: { ...bindings, PEER_BRIDGE: JSON.stringify(listener.bridge) } };
  listener.stop();
  return { settings, listener: undefined, bindings };
}

async function openListener(
  { flags, network, onConnection, warn }: ChoosePeersOptions,
  settings: PeerSettings,
): Promise<PeerListener> {
  const facts = { maxConnections: settings.maxInboundConnections, onConnection };
  const usual = network.binding === "private" ? usualPort.private : usualPort.other;
  const port = flags.p2pPort ?? settings.port ?? usual;
  if (port === 0) return openPeerListener({ ...facts, listen: undefined });
  const host = flags.isHostGiven ? flags.host : (settings.bindAddress ?? flags.host);
  try {
    return await openPeerListener({ ...facts, listen: { host, port } });
  } catch (error) {
    const refusal = portRefused(error as NodeJS.ErrnoException, host, port, "--p2p-port");
    // Many nodes on this machine may share one settings file.
    if (flags.p2pPort !== undefined) throw refusal;
    warn(`Other nodes cannot connect to this one. ${refusal.message}`);
    return openPeerListener({ ...facts, listen: undefined });
  }
}

/** @throws UsageError */
function settingsWith({ binding }: ChoosePeersOptions["network"], bindings: PeerBindings): NetworkSettings {
  try {
    return networkOfBinding(binding, undefined, undefined, bindings);
  } catch (error) {
    if (error instanceof NetworkSettingsError) throw new UsageError(error.message);
    throw error;
  }
}
