/** The network that a node was started with, out of its binding. */
import { isNetworkName, namedNetworks } from "./named-networks.ts";
import { parseNetwork, parseSettingsJson } from "./parse-network.ts";
import type { NetworkSettings } from "./settings.ts";

/**
 * @param binding name of a network, or the text of a `network.json`
 * @throws NetworkSettingsError
 */
export function networkOfBinding(binding: string): NetworkSettings {
  return isNetworkName(binding) ? namedNetworks[binding] : parseNetwork(parseSettingsJson(binding), "custom");
}
