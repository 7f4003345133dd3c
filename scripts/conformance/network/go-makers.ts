/**
 * What is sent where there is a Go node: all but calls of dApps. Of some functions of the made dApps it thinks otherwise than the
 * reference (it refuses `SponsorFee` without a fee, for one, and has other state hashes after others), so that both part ways
 * without any third node.
 */
import { allMakers } from "../../tools/chain-maker/all-makers.ts";
import { invocationMakers } from "../../tools/chain-maker/invocations.ts";
import type { Maker } from "../../tools/chain-maker/maker.ts";

export function goMakers(): readonly Maker[] {
  return allMakers().filter((maker) => !invocationMakers.includes(maker));
}
