/**
 * What is sent where there is a Go node. Some things it thinks otherwise than the reference, so that both part ways without any
 * third node: of some functions of the made dApps (it refuses `SponsorFee` without a fee, for one, and has other state hashes
 * after others), and of transactions and orders of older versions that come from scripted accounts, which it puts into its blocks.
 */
import { accountEntryMakers } from "../../chain-generator/account-entries.ts";
import { assetMakers } from "../../chain-generator/assets.ts";
import { exchangeMaker } from "../../chain-generator/exchanges.ts";
import { scriptMakers } from "../../chain-generator/scripts.ts";
import type { Maker } from "../../chain-generator/transaction-generator.ts";
import { transferMakers } from "../../chain-generator/transfers.ts";

const plainMakers: readonly Maker[] = [...transferMakers, ...assetMakers, ...accountEntryMakers];

/** Of a chain that others have forged: no dApp is called, and nothing exchanged. */
export const makersOfChains: readonly Maker[] = [...plainMakers, ...scriptMakers];

/** Of what it forges itself: nobody has a script. */
export function makersOfPools(): readonly Maker[] {
  return [...plainMakers, exchangeMaker()];
}
