/** The network that a node was started with, out of its binding. */
import { DEV_CHAIN_ON, devSettings } from "./dev-settings.ts";
import { forkSettings } from "./fork-settings.ts";
import { parseForkSource } from "./fork-source.ts";
import { isNetworkName, namedNetworks } from "./named-networks.ts";
import { parseNetwork, parseSettingsJson } from "./parse-network.ts";
import type { NetworkSettings } from "./settings.ts";

/**
 * @param binding name of a network, or the text of a `network.json`
 * @param devChain the binding `DEV_CHAIN`
 * @param fork the binding `FORK`, which dev chains alone may have
 * @throws NetworkSettingsError
 */
export function networkOfBinding(binding: string, devChain?: string, fork?: string): NetworkSettings {
  const network = isNetworkName(binding) ? namedNetworks[binding] : parseNetwork(parseSettingsJson(binding), "custom");
  if (devChain !== DEV_CHAIN_ON) return network;
  return fork === undefined ? devSettings(network) : forkSettings(network, parseForkSource(fork));
}
