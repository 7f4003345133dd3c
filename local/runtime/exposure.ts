import { privateNetwork } from "../../src/network/networks/private.ts";
import { UsageError } from "../cli/usage-error.ts";

/** The key of the private network stands in its documentation: on this machine it does no harm. */
const wellKnownKeyHash = privateNetwork.node.apiKeyHash;

export interface Exposure {
  /** Address to listen on. */
  readonly host: string;
  /** Base58 of the secure hash of the API key, as the network's settings have it. */
  readonly settingsKeyHash: string;
  /** The hash that the user gave (`API_KEY_HASH`), if one was given: it goes before that of the settings. */
  readonly ownKeyHash: string | undefined;
}

/** @throws UsageError when others than this machine could reach private routes with a key that everybody knows */
export function refuseKnownKey(exposure: Exposure): void {
  if (!isKeyKnown(exposure) || isLoopback(exposure.host)) return;
  throw new UsageError(
    `--host ${exposure.host} lets other machines in, and everybody knows the API key of this node: start with API_KEY_HASH set to ` +
      `the hash of a key of your own (POST /utils/hash/secure gives it), or without --host.`,
  );
}

/** Whether everybody knows the key in force. */
export function isKeyKnown({ settingsKeyHash, ownKeyHash }: Omit<Exposure, "host">): boolean {
  return (ownKeyHash ?? settingsKeyHash) === wellKnownKeyHash;
}

/** Whether the address, or the name of it, is this machine's own. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
