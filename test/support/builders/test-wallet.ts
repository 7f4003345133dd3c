/** The wallet of a network file, as in ChainState, except that signatures are deterministic. */
import { Wallet } from "../../../durable/chain-state/wallet/wallet.ts";
import { WalletCalls } from "../../../durable/chain-state/wallet/wallet-calls.ts";
import type { WalletRecord, WalletStorage } from "../../../durable/chain-state/wallet/wallet-storage.ts";
import { isNetworkName } from "../../../src/network/named-networks.ts";
import { networkOfBinding } from "../../../src/network/network-of-binding.ts";
import { parseSecrets, parseSettingsJson } from "../../../src/network/parse-network.ts";

export function walletInMemory(): WalletStorage {
  let kept: WalletRecord | undefined;
  return {
    find: () => kept,
    put: (record) => {
      kept = record;
    },
  };
}

/** @param network a network's name, or the text of a `network.json`; without a seed in it there are no accounts */
export function testWallet(network: string): WalletCalls {
  const { blockchain, node } = networkOfBinding(network);
  const { walletSeed } = isNetworkName(network) ? {} : parseSecrets(parseSettingsJson(network));
  const { chainId } = blockchain;
  const facts = { chainId, accounts: node.walletAccounts, storage: walletInMemory() };
  return new WalletCalls({
    wallet: walletSeed === undefined ? undefined : new Wallet({ ...facts, seed: walletSeed }),
    chainId,
    random: (sizeBytes) => new Uint8Array(sizeBytes).fill(7),
    changed: async () => {},
  });
}
