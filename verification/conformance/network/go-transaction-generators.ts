/**
 * What is sent where there is a Go node. Some things it thinks otherwise than the reference, so that both part ways without any
 * third node: of some functions of the made dApps (it refuses `SponsorFee` without a fee, for one, and has other state hashes
 * after others), and of transactions and orders of older versions that come from scripted accounts, which it puts into its blocks.
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

/** Of a chain that others have forged: no dApp is called, and nothing exchanged. */
export const chainTransactionGenerators: readonly TransactionGenerator[] = [...plainGenerators, ...scriptGenerators];

/** Of what it forges itself: nobody has a script. */
export function poolTransactionGenerators(): readonly TransactionGenerator[] {
  return [...plainGenerators, exchangeGenerator()];
}
