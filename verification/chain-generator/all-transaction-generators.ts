/** All kinds of transactions on a generated chain. */
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { accountEntryMakers } from "./account-entries.ts";
import { assetMakers } from "./assets.ts";
import type { ChainWorld } from "./chain-world.ts";
import { commitmentMaker } from "./commitments.ts";
import { exchangeMaker } from "./exchanges.ts";
import type { ChainVariant } from "./generated-network.ts";
import { invocationMakers } from "./invocations.ts";
import { scriptMakers } from "./scripts.ts";
import type { Maker } from "./transaction-generator.ts";
import { transferMakers } from "./transfers.ts";

/** @param variant of the chain; by default one without commitments */
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

/** @throws FormatError the generated transaction is invalid in every state */
export function makeTransaction(transactionGenerators: readonly Maker[], world: ChainWorld): Transaction {
  for (;;) {
    const transaction = world.random.pickByWeight(transactionGenerators).make(world);
    if (transaction !== undefined) return transaction;
  }
}
