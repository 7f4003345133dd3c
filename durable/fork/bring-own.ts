/** Facts that are known of the fork's own blocks, and of no others: nodes do not tell them, or not in a form to go by. */

import type { RemoteFact } from "../../src/network/remote-fact.ts";
import { bringTransaction, heightOfBlock } from "./bring-thing.ts";
import { type AskingFacts, type BroughtFact, nothingThere } from "./brought-fact.ts";
import { UntoldFault } from "./untold-fault.ts";

/** @throws UntoldFault */
export async function bringBody({ of }: RemoteFact, { own, source }: AskingFacts): Promise<BroughtFact> {
  const height = of === "tip" || of === "0" ? own.tipHeight() : Number(of);
  if (height > source.height) return nothingThere;
  throw new UntoldFault(
    `a fork has headers of blocks up to height ${source.height}, and transactions by their ids, but not lists of them`,
  );
}

export async function bringBodyOf({ of }: RemoteFact, facts: AskingFacts): Promise<BroughtFact> {
  const height = await heightOfBlock({ kind: "ancestor", of, item: "0" }, facts);
  return height === undefined ? nothingThere : bringBody({ kind: "body", of: String(height) }, facts);
}

export async function bringOwnTransaction(fact: RemoteFact, facts: AskingFacts): Promise<BroughtFact> {
  const { of } = fact;
  const { own, source } = facts;
  const height = own.transactionHeight(of);
  const isOwn = height === undefined ? (await bringTransaction(fact, facts)) === nothingThere : height > source.height;
  if (isOwn) return nothingThere;
  throw new UntoldFault(`the transaction ${of} is one of the network behind the fork: what it changed is known there`);
}

export async function bringTransactions({ of }: RemoteFact): Promise<BroughtFact> {
  throw new UntoldFault(`a fork does not list transactions, since most of those of ${of} are in no block that it has`);
}

export async function bringHolders({ of }: RemoteFact, { own, source }: AskingFacts): Promise<BroughtFact> {
  if ((own.issueHeight(of) ?? 0) > source.height) return nothingThere;
  throw new UntoldFault(`a fork does not know who holds ${of}, which was issued on the network behind it`);
}

export async function bringToken({ of }: RemoteFact, { own }: AskingFacts): Promise<BroughtFact> {
  if (own.hasToken(of)) return nothingThere;
  throw new UntoldFault(
    `a fork finds the asset of the Ethereum address 0x${of} only after it was asked for by its id: GET /assets/details/{id}`,
  );
}

export async function bringStateAt({ of }: RemoteFact, { source }: AskingFacts): Promise<BroughtFact> {
  if (Number(of) >= source.height) return nothingThere;
  throw new UntoldFault(`a fork knows no state before height ${source.height}, from which it goes on`);
}

export async function bringUntold({ of }: RemoteFact): Promise<BroughtFact> {
  throw new UntoldFault(of);
}
