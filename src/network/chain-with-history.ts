/**
 * The public chains that are older than their rules, identified by genesis block: another network may have the same
 * character.
 */
import { equalBytes } from "../crypto/bytes.ts";
import { mainnet } from "./networks/mainnet.ts";
import { testnet } from "./networks/testnet.ts";
import type { BlockchainSettings } from "./settings.ts";

const genesisOf = { mainnet: mainnet.blockchain.genesis, testnet: testnet.blockchain.genesis } as const;

/** @returns undefined for every other network, including dev chains that continue one of them */
export function findChainWithHistory({
  genesis,
}: Pick<BlockchainSettings, "genesis">): keyof typeof genesisOf | undefined {
  const { signature, devChain } = genesis;
  if (signature === undefined || devChain !== undefined) return undefined;
  const isOf = (name: keyof typeof genesisOf): boolean =>
    equalBytes(genesisOf[name].signature ?? new Uint8Array(), signature);
  return isOf("mainnet") ? "mainnet" : isOf("testnet") ? "testnet" : undefined;
}
