/** The wallet of a network file, as ChainState has it, but for signatures that are the same each time. */
import { Wallet } from "../../durable/wallet/wallet.ts";
import { WalletCalls } from "../../durable/wallet/wallet-calls.ts";
import type { WalletRecord, WalletStorage } from "../../durable/wallet/wallet-storage.ts";
import { parseNetwork, parseSecrets, parseSettingsJson } from "../../src/network/parse-network.ts";

export function walletInMemory(): WalletStorage {
  let kept: WalletRecord | undefined;
  return {
    find: () => kept,
    put: (record) => {
      kept = record;
    },
  };
}

/** @param network text of a `network.json`; without a seed in it there are no accounts */
export function testWallet(network: string): WalletCalls {
  const file = parseSettingsJson(network);
  const { blockchain, node } = parseNetwork(file, "the network of a test");
  const { walletSeed } = parseSecrets(file);
  const { chainId } = blockchain;
  const facts = { chainId, accounts: node.walletAccounts, storage: walletInMemory() };
  return new WalletCalls({
    wallet: walletSeed === undefined ? undefined : new Wallet({ ...facts, seed: walletSeed }),
    chainId,
    random: (sizeBytes) => new Uint8Array(sizeBytes).fill(7),
    changed: async () => {},
  });
}
