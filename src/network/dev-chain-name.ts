/** Names of dev chains, unique among all chains; settings files cannot set them. */
import { encodeBase58 } from "../crypto/base58.ts";
import { blake2b256 } from "../crypto/hash.ts";
import type { BlockchainSettings } from "./settings.ts";

/** Base58 has no colon, so no signature's text begins with this. */
const DEV_CHAIN_PREFIX = "dev:";

/** Name of the dev chain for a network. @param network settings of the network, not of the dev chain */
export function devChainNameOf({ chainId, genesis }: Pick<BlockchainSettings, "chainId" | "genesis">): string {
  const { blockTimestampMs, timestampMs, initialBalance, initialBaseTarget, signature, transactions } = genesis;
  return devChainName([
    ...[chainId, blockTimestampMs, timestampMs, initialBalance, initialBaseTarget],
    encodeBase58(signature ?? new Uint8Array()),
    ...transactions.map(({ recipient, amount }) => `${encodeBase58(recipient)} ${amount}`),
  ]);
}

/** @param inputs values that identify the chain, in a fixed order */
export function devChainName(inputs: readonly (string | number | bigint)[]): string {
  return DEV_CHAIN_PREFIX + encodeBase58(blake2b256(new TextEncoder().encode(inputs.join("\n"))));
}
