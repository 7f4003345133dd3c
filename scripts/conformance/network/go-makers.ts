/**
 * What is sent where there is a Go node: neither calls of dApps nor exchanges. Of some functions of the made dApps it thinks otherwise
 * than the reference (it refuses `SponsorFee` without a fee, for one, and has other state hashes after others), and it takes
 * exchanges whose orders of older versions are those of scripted accounts: both part ways without any third node.
 */
import { accountEntryMakers } from "../../tools/chain-maker/account-entries.ts";
import { assetMakers } from "../../tools/chain-maker/assets.ts";
import type { Maker } from "../../tools/chain-maker/maker.ts";
import { scriptMakers } from "../../tools/chain-maker/scripts.ts";
import { transferMakers } from "../../tools/chain-maker/transfers.ts";

export const goMakers: readonly Maker[] = [...transferMakers, ...assetMakers, ...accountEntryMakers, ...scriptMakers];
