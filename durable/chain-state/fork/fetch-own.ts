/** State that is known for the fork's own blocks only: nodes do not return it, or not in a usable form. */

import type { RemoteFact } from "../../../src/network/remote-state-key.ts";
import { bringTransaction, heightOfBlock } from "./fetch-item.ts";
import { type AskingFacts, type BroughtFact, nothingThere } from "./remote-state-value.ts";
import { UntoldFault } from "./unsupported-remote-state.ts";

/** @throws UntoldFault */
export async function bringBody({ of }: RemoteFact, { own, source }: AskingFacts): Promise<BroughtFact> {
  const height = of === "tip" || of === "0" ? own.tipHeight() : Number(of);
  if (height > source.height) return nothingThere;
  throw new UntoldFault(
    `a fork has headers up to height ${source.height}, and transactions by their ids, but no lists of transactions`,
  );
}

export async function bringBodyOf({ of }: RemoteFact, context: AskingFacts): Promise<BroughtFact> {
  const height = await heightOfBlock({ kind: "ancestor", of, item: "0" }, context);
  return height === undefined ? nothingThere : bringBody({ kind: "body", of: String(height) }, context);
}

export async function bringOwnTransaction(key: RemoteFact, context: AskingFacts): Promise<BroughtFact> {
  const { of } = key;
  const { own, source } = context;
  const height = own.transactionHeight(of);
  const isOwn = height === undefined ? (await bringTransaction(key, context)) === nothingThere : height > source.height;
  if (isOwn) return nothingThere;
  throw new UntoldFault(`the transaction ${of} belongs to the live network: its changes are known only there`);
}

export async function bringTransactions({ of }: RemoteFact): Promise<BroughtFact> {
  throw new UntoldFault(`a fork does not list transactions, since it lacks the blocks with most of those of ${of}`);
}

export async function bringHolders({ of }: RemoteFact, { own, source }: AskingFacts): Promise<BroughtFact> {
  if ((own.issueHeight(of) ?? 0) > source.height) return nothingThere;
  throw new UntoldFault(`a fork does not know the holders of ${of}, which was issued on the live network`);
}

export async function bringToken({ of }: RemoteFact, { own }: AskingFacts): Promise<BroughtFact> {
  if (own.hasToken(of)) return nothingThere;
  throw new UntoldFault(
    `a fork finds the asset of the Ethereum address 0x${of} only after a request by its id: GET /assets/details/{id}`,
  );
}

export async function bringStateAt({ of }: RemoteFact, { source }: AskingFacts): Promise<BroughtFact> {
  if (Number(of) >= source.height) return nothingThere;
  throw new UntoldFault(`a fork knows no state before height ${source.height}, where it starts`);
}

export async function bringUntold({ of }: RemoteFact): Promise<BroughtFact> {
  throw new UntoldFault(of);
}
