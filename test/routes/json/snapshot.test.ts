import { expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import { Feature, featureActivationOf } from "../../../src/network/features.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { snapshotJson } from "../../../src/routes/json/snapshot.ts";

const bytes = (size: number, value: number) => new Uint8Array(size).fill(value);
const commitment = {
  sender: bytes(32, 1) as Uint8Array as PublicKey,
  endorserPublicKey: bytes(48, 2),
  transactionId: bytes(32, 3) as Uint8Array as TransactionId,
};
const features = featureActivationOf(new Map([[Feature.DeterministicFinality, 10]]));
const listAt = (height: number, generationCommitments: (typeof commitment)[]) =>
  snapshotJson({ snapshot: { generationCommitments }, status: "succeeded" }, height, features)[
    "nextCommittedGenerators"
  ];

test("commitments to generate are the last list of a state snapshot, from feature 25 on", () => {
  expect(listAt(10, [commitment])).toEqual([
    { publicKey: encodeBase58(bytes(32, 1)), blsPublicKey: encodeBase58(bytes(48, 2)) },
  ]);
  expect(listAt(10, [])).toEqual([]);
  expect(Object.keys(snapshotJson({ snapshot: {}, status: "succeeded" }, 10, features)).at(-1)).toBe(
    "nextCommittedGenerators",
  );
});

test("before it there is no such list, as in releases before", () => {
  expect(listAt(9, [])).toBeUndefined();
});
