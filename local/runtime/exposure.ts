import { privateNetwork } from "../../src/network/networks/private.ts";
import { UsageError } from "../cli/usage-error.ts";

/** Hash of the private network's API key, which is public in its documentation: harmless for loopback clients only. */
const wellKnownKeyHash = privateNetwork.node.apiKeyHash;

export interface Exposure {
  /** Address on which the node listens. */
  readonly host: string;
  /** Base58 of the secure hash of the API key in the network's settings. */
  readonly settingsKeyHash: string;
  /** Hash given by the user (`API_KEY_HASH`), if any: it takes precedence over the settings. */
  readonly ownKeyHash: string | undefined;
}

/** @throws UsageError when other machines could reach private routes with a publicly known key */
export function refuseKnownKey(exposure: Exposure): void {
  if (!isKeyKnown(exposure) || isLoopback(exposure.host)) return;
  throw new UsageError(
    `--host ${exposure.host} lets other machines in, and everybody knows the API key of this node: start with API_KEY_HASH set to ` +
      `the hash of a key of your own (POST /utils/hash/secure gives it), or without --host.`,
  );
}

/** Whether the key in force is publicly known. */
export function isKeyKnown({ settingsKeyHash, ownKeyHash }: Omit<Exposure, "host">): boolean {
  return (ownKeyHash ?? settingsKeyHash) === wellKnownKeyHash;
}

/** Whether an address or host name is a loopback one. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
