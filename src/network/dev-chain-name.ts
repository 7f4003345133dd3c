/** What tells dev chains from each other and from all other chains: a settings file cannot say it. */
import { encodeBase58 } from "../crypto/base58.ts";
import { blake2b256 } from "../crypto/hash.ts";
import type { BlockchainSettings } from "./settings.ts";

/** Base58 has no colon: no signature's text begins so. */
const DEV_CHAIN_PREFIX = "dev:";

/** Name of the dev chain that is made of a network. @param network its settings, not those of the dev chain */
export function devChainNameOf({ chainId, genesis }: Pick<BlockchainSettings, "chainId" | "genesis">): string {
  const { blockTimestampMs, timestampMs, initialBalance, initialBaseTarget, signature, transactions } = genesis;
  return devChainName([
    ...[chainId, blockTimestampMs, timestampMs, initialBalance, initialBaseTarget],
    encodeBase58(signature ?? new Uint8Array()),
    ...transactions.map(({ recipient, amount }) => `${encodeBase58(recipient)} ${amount}`),
  ]);
}

/** @param facts what no two dev chains share, in an order of its own */
export function devChainName(facts: readonly (string | number | bigint)[]): string {
  return DEV_CHAIN_PREFIX + encodeBase58(blake2b256(new TextEncoder().encode(facts.join("\n"))));
}
