/** All kinds of transactions on a generated chain. */
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { accountEntryGenerators } from "./account-entries.ts";
import { assetGenerators } from "./assets.ts";
import type { ChainWorld } from "./chain-world.ts";
import { commitmentGenerator } from "./commitments.ts";
import { exchangeGenerator } from "./exchanges.ts";
import type { ChainVariant } from "./generated-network.ts";
import { invocationGenerators } from "./invocations.ts";
import { scriptGenerators } from "./scripts.ts";
import type { TransactionGenerator } from "./transaction-generator.ts";
import { transferGenerators } from "./transfers.ts";

/** @param variant of the chain; by default one without commitments */
export function allTransactionGenerators(variant?: ChainVariant): readonly TransactionGenerator[] {
  return [
    ...transferGenerators,
    ...assetGenerators,
    ...accountEntryGenerators,
    ...scriptGenerators,
    ...invocationGenerators,
    exchangeGenerator(),
    ...(variant === "committed" ? [commitmentGenerator] : []),
  ];
}

/** @throws FormatError the generated transaction is invalid in every state */
export function makeTransaction(
  transactionGenerators: readonly TransactionGenerator[],
  world: ChainWorld,
): Transaction {
  for (;;) {
    const transaction = world.random.pickByWeight(transactionGenerators).make(world);
    if (transaction !== undefined) return transaction;
  }
}
