/** The network of a node, from its bindings. */
import { DEV_CHAIN_ON, devSettings } from "./dev-settings.ts";
import { forkSettings } from "./fork-settings.ts";
import { parseForkSource } from "./fork-source.ts";
import { isNetworkName, namedNetworks } from "./named-networks.ts";
import { parseNetwork, parseSettingsJson } from "./parse-network.ts";
import { NO_PEERS, parsePeerAddresses } from "./peer-address.ts";
import type { PeerSettings } from "./peer-settings.ts";
import type { NetworkSettings } from "./settings.ts";
import { NetworkSettingsError, settingText } from "./settings-error.ts";

/** Value of the binding `LIGHT` that makes a node a light node. */
export const LIGHT_ON = "on";

/** Bindings about peers, which take precedence over the settings. */
export interface PeerBindings {
  /** Known peers in addition to those of the settings, separated by commas; `none`: no known peers at all. */
  readonly PEERS?: string | undefined;
  /** Set by the local runner: `host:port` on which it listens for peers; empty: it does not listen. */
  readonly LISTENS?: string | undefined;
  /** `on`: light mode. */
  readonly LIGHT?: string | undefined;
}

/**
 * @param binding name of a network, or the text of a `network.json`
 * @param devChain the binding `DEV_CHAIN`
 * @param fork the binding `FORK`, only for dev chains
 * @param peers ignored for dev chains
 * @throws NetworkSettingsError
 */
export function networkOfBinding(
  binding: string,
  devChain?: string,
  fork?: string,
  peers: PeerBindings = {},
): NetworkSettings {
  const network = isNetworkName(binding) ? namedNetworks[binding] : parseNetwork(parseSettingsJson(binding), "custom");
  if (devChain !== DEV_CHAIN_ON) return withMode(withPeers(network, peers), peers);
  return fork === undefined ? devSettings(network) : forkSettings(network, parseForkSource(fork));
}

function withMode(network: NetworkSettings, { LIGHT }: PeerBindings): NetworkSettings {
  return LIGHT === LIGHT_ON ? { ...network, node: { ...network.node, isLight: true } } : network;
}

function withPeers(network: NetworkSettings, { PEERS, LISTENS }: PeerBindings): NetworkSettings {
  if (!PEERS && LISTENS === undefined) return network;
  const { peers } = network.node;
  const more = parsePeerAddresses(PEERS ?? "");
  if (more === undefined) {
    throw new NetworkSettingsError({
      path: "PEERS",
      got: settingText(PEERS),
      expected: "host:port, several with commas, or none",
    });
  }
  const knownPeers = more === NO_PEERS ? [] : [...new Set([...peers.knownPeers, ...more])];
  return { ...network, node: { ...network.node, peers: { ...peers, ...listening(LISTENS), knownPeers } } };
}

function listening(LISTENS: string | undefined): Partial<Pick<PeerSettings, "bindAddress" | "port">> {
  if (LISTENS === undefined) return {};
  if (LISTENS === "") return { bindAddress: undefined, port: 0 };
  const colon = LISTENS.lastIndexOf(":");
  return { bindAddress: LISTENS.slice(0, colon), port: Number(LISTENS.slice(colon + 1)) };
}
