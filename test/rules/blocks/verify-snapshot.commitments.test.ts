/** Snapshots of commitments from a peer, on a node that does not execute them. */
import { describe, expect, test } from "vitest";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import type { GenerationCommitment } from "../../../src/protocol/snapshots/snapshot.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { verifySnapshot } from "../../../src/rules/blocks/verify-snapshot.ts";
import { keys, sample, violationOf } from "../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

/** Commitment to the period from 1001. */
const transaction = sample(TransactionType.CommitToGeneration);
const item: GenerationCommitment = {
  sender: transaction.sender,
  endorserPublicKey: transaction.endorserPublicKey,
  transactionId: transaction.id,
};
const verify = (items: readonly GenerationCommitment[], of: Transaction = transaction, view = new InMemoryState()) =>
  verifySnapshot({ snapshot: { generationCommitments: items }, status: "succeeded" }, of, view, { mayElide: false });
const reasonOf = (...parts: Parameters<typeof verify>) =>
  violationOf(() => verify(...parts)) as { readonly reason?: string };

describe("a snapshot of a commitment", () => {
  test("is accepted if it is the transaction's own", () => {
    expect(verify([item])).toEqual({ snapshot: { generationCommitments: [item] }, status: "succeeded" });
  });

  test.each<readonly [string, readonly GenerationCommitment[], string]>([
    ["that of another sender", [{ ...item, sender: keys.bob as PublicKey }], "not the sender"],
    ["of another BLS key", [{ ...item, endorserPublicKey: new Uint8Array(48) }], "not the sender's"],
    ["a repeated one", [item, item], "stands twice"],
  ])("is refused: %s", (_, items, reason) => {
    expect(reasonOf(items).reason).toContain(reason);
  });

  test("is refused for a transaction of another type", () => {
    expect(reasonOf([item], sample(TransactionType.Transfer)).reason).toContain("changes generationCommitments");
  });

  test("is refused before there are periods, in another period, and a second time", () => {
    const early = new InMemoryState({ features: new Map() });
    expect(reasonOf([item], transaction, early).reason).toContain("before there are periods");
    expect(reasonOf([item], transaction, new InMemoryState({ height: 1_001 })).reason).toContain("another period");
    const committed = new InMemoryState().with({ generationCommitments: [item] });
    expect(reasonOf([item], transaction, committed).reason).toContain("a second time");
  });
});
