/**
 * What is sent where there is a Go node. Some things it thinks otherwise than the reference, so that both part ways without any
 * third node: of some functions of the made dApps (it refuses `SponsorFee` without a fee, for one, and has other state hashes
 * after others), and of transactions and orders of older versions that come from scripted accounts, which it puts into its blocks.
 */
import { accountEntryMakers } from "../../tools/chain-maker/account-entries.ts";
import { assetMakers } from "../../tools/chain-maker/assets.ts";
import { exchangeMaker } from "../../tools/chain-maker/exchanges.ts";
import type { Maker } from "../../tools/chain-maker/maker.ts";
import { scriptMakers } from "../../tools/chain-maker/scripts.ts";
import { transferMakers } from "../../tools/chain-maker/transfers.ts";

const plainMakers: readonly Maker[] = [...transferMakers, ...assetMakers, ...accountEntryMakers];

/** Of a chain that others have forged: no dApp is called, and nothing exchanged. */
export const makersOfChains: readonly Maker[] = [...plainMakers, ...scriptMakers];

/** Of what it forges itself: nobody has a script. */
export function makersOfPools(): readonly Maker[] {
  return [...plainMakers, exchangeMaker()];
}
