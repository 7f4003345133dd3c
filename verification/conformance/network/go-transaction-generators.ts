/**
 * Transaction generators for networks with a Go node. The Go node differs from the reference even without a third node:
 * in some functions of the generated dApps (it refuses `SponsorFee` without a fee, and has other state hashes after
 * others), and in transactions and orders of older versions from scripted accounts, which it puts into its blocks.
 */
import { accountEntryGenerators } from "../../chain-generator/account-entries.ts";
import { assetGenerators } from "../../chain-generator/assets.ts";
import { exchangeGenerator } from "../../chain-generator/exchanges.ts";
import { scriptGenerators } from "../../chain-generator/scripts.ts";
import type { TransactionGenerator } from "../../chain-generator/transaction-generator.ts";
import { transferGenerators } from "../../chain-generator/transfers.ts";

const plainGenerators: readonly TransactionGenerator[] = [
  ...transferGenerators,
  ...assetGenerators,
  ...accountEntryGenerators,
];

/** Generators for a chain that other nodes have forged: no calls of dApps and no exchanges. */
export const chainTransactionGenerators: readonly TransactionGenerator[] = [...plainGenerators, ...scriptGenerators];

/** Generators for the pool of a forging Go node: no account has a script. */
export function poolTransactionGenerators(): readonly TransactionGenerator[] {
  return [...plainGenerators, exchangeGenerator()];
}
