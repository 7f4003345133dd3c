/** The network that a node was started with, out of its binding. */
import { DEV_CHAIN_ON, devSettings } from "./dev-settings.ts";
import { isNetworkName, namedNetworks } from "./named-networks.ts";
import { parseNetwork, parseSettingsJson } from "./parse-network.ts";
import type { NetworkSettings } from "./settings.ts";

/**
 * @param binding name of a network, or the text of a `network.json`
 * @param devChain the binding `DEV_CHAIN`
 * @throws NetworkSettingsError
 */
export function networkOfBinding(binding: string, devChain?: string): NetworkSettings {
  const network = isNetworkName(binding) ? namedNetworks[binding] : parseNetwork(parseSettingsJson(binding), "custom");
  return devChain === DEV_CHAIN_ON ? devSettings(network) : network;
}
