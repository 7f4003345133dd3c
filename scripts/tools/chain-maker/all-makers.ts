/** Every kind of transaction that a made chain holds. */
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { accountEntryMakers } from "./account-entries.ts";
import { assetMakers } from "./assets.ts";
import type { ChainWorld } from "./chain-world.ts";
import { commitmentMaker } from "./commitments.ts";
import { exchangeMaker } from "./exchanges.ts";
import { invocationMakers } from "./invocations.ts";
import type { ChainVariant } from "./made-network.ts";
import type { Maker } from "./maker.ts";
import { scriptMakers } from "./scripts.ts";
import { transferMakers } from "./transfers.ts";

/** @param variant of the chain; by default one in which nobody commits himself */
export function allMakers(variant?: ChainVariant): readonly Maker[] {
  return [
    ...transferMakers,
    ...assetMakers,
    ...accountEntryMakers,
    ...scriptMakers,
    ...invocationMakers,
    exchangeMaker(),
    ...(variant === "committed" ? [commitmentMaker] : []),
  ];
}

/** @throws FormatError when what a maker came up with can be valid in no state */
export function makeTransaction(makers: readonly Maker[], world: ChainWorld): Transaction {
  for (;;) {
    const transaction = world.random.pickByWeight(makers).make(world);
    if (transaction !== undefined) return transaction;
  }
}
