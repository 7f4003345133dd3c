/** The networks that a node knows by name. */
import { mainnet } from "./networks/mainnet.ts";
import { privateNetwork } from "./networks/private.ts";
import { stagenet } from "./networks/stagenet.ts";
import { testnet } from "./networks/testnet.ts";
import type { NetworkSettings } from "./settings.ts";

export const namedNetworks = {
  mainnet,
  testnet,
  stagenet,
  private: privateNetwork,
} as const satisfies Record<string, NetworkSettings>;

export type NetworkName = keyof typeof namedNetworks;

export function isNetworkName(name: string): name is NetworkName {
  return Object.hasOwn(namedNetworks, name);
}
