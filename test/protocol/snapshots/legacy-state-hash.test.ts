/** Sections and totals of the older state hash; `recorded-chain.test.ts` chains them over real blocks. */

import { describe, expect, test } from "vitest";
import { compareBytes, concatBytes, i64Bytes } from "../../../src/crypto/bytes.ts";
import { blake2b256 } from "../../../src/crypto/hash.ts";
import type { Address, Digest, PublicKey } from "../../../src/crypto/identities.ts";
import { parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import {
  finalityStateHashSections,
  StateHashEntries,
  type StateHashSection,
  stateHashSections,
  totalStateHash,
} from "../../../src/protocol/snapshots/legacy-state-hash.ts";
import { initialStateHash } from "../../../src/protocol/snapshots/state-hash.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { LeaseId, Script, TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { legacyStateHash } from "../../support/builders/legacy-state-hash.ts";
import { findSharedBytes, fixtureBytes, recordsOf } from "../../support/fixtures/recorded-blocks.ts";

const chainId = "F".charCodeAt(0);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const digestOf = (text: string | undefined) => new Uint8Array(Buffer.from(text ?? "", "hex")) as Uint8Array as Digest;
const named = <Kind extends Uint8Array>(sizeBytes: number, name: number) =>
  new Uint8Array(sizeBytes).fill(name) as Uint8Array as Kind;
const nothing = { snapshot: {}, chainId, generatorBalances: undefined };

describe("legacyStateHash", () => {
  test("a block that changes nothing has empty sections, and a total all the same", () => {
    const { sections, total } = legacyStateHash(undefined, nothing);
    expect([...sections.keys()]).toEqual(stateHashSections);
    for (const hash of sections.values()) expect(hash).toEqual(initialStateHash);
    expect(total).toEqual(blake2b256(concatBytes(...Array.from({ length: 9 }, () => initialStateHash))));
    expect(legacyStateHash(total, nothing).total).not.toEqual(total);
  });

  test("values are hashed in the order of their keys as unsigned bytes", () => {
    const addresses = [0x01, 0xff, 0x80].map((name) => named<Address>(26, name));
    const balances = addresses.map((address, index) => ({ address, asset: null, balance: BigInt(index) }));
    const { sections } = legacyStateHash(undefined, { ...nothing, snapshot: { balances } });
    const sorted = balances.toSorted((left, right) => compareBytes(left.address, right.address));
    expect(sections.get("wavesBalance")).toEqual(
      blake2b256(concatBytes(...sorted.flatMap(({ address, balance }) => [address, i64Bytes(balance)]))),
    );
  });

  test("a lease that is made and cancelled in one block is listed as cancelled", () => {
    const leaseId = named<LeaseId>(32, 7);
    const lease = {
      leaseId,
      sender: named<PublicKey>(32, 1),
      recipient: named<Address>(26, 2),
      amount: 1n,
      originTransactionId: named<TransactionId>(32, 3),
    };
    const cancelled = { leaseId, cancelTransactionId: undefined };
    const sectionOf = (snapshot: object) =>
      legacyStateHash(undefined, { ...nothing, snapshot }).sections.get("leaseStatus");
    const entry = (status: number) => blake2b256(concatBytes(leaseId, Uint8Array.of(status)));
    expect(sectionOf({ newLeases: [lease] })).toEqual(entry(1));
    expect(sectionOf({ newLeases: [lease], cancelledLeases: [cancelled] })).toEqual(entry(0));
  });

  test("an asset that is issued without a script is listed with an empty one", () => {
    const assetId = named<AssetId>(32, 7);
    const issued = {
      assetId,
      issuer: named<PublicKey>(32, 1),
      decimals: 8,
      nft: false,
      originTransactionId: named<TransactionId>(32, 3),
    };
    const script = named<Script>(5, 9);
    const sectionOf = (snapshot: object) =>
      legacyStateHash(undefined, { ...nothing, snapshot }).sections.get("assetScript");
    expect(sectionOf({ assetStatics: [issued] })).toEqual(blake2b256(assetId));
    expect(sectionOf({ assetStatics: [issued], assetScripts: [{ assetId, script, complexity: 1n }] })).toEqual(
      blake2b256(concatBytes(assetId, script)),
    );
  });
});

interface RecordedHeight {
  readonly height: number;
  readonly generators: readonly { readonly balance: number; readonly banned: boolean }[];
  readonly stateHash: Readonly<Record<string, string>>;
}

describe("recorded state hashes under feature 25", () => {
  const file = findSharedBytes("finality-a/heights.jsonl");

  test.skipIf(file === undefined)(
    "sections of generators and totals are the recorded ones (needs the recording beside the project)",
    () => {
      const lines = new TextDecoder().decode(file).trimEnd().split("\n");
      const heights = lines.map((line) => JSON.parse(line) as RecordedHeight);
      const blocks = recordsOf(fixtureBytes("finality-a/blocks.bin.gz")).map((bytes) => parseBlock(bytes, chainId));
      let previous: Digest | undefined;
      let withGenerators = 0;
      for (const { height, generators, stateHash } of heights) {
        const recorded = [...stateHashSections, ...finalityStateHashSections].flatMap(
          (section): [StateHashSection, Digest][] => {
            const hash = stateHash[`${section}Hash`];
            return hash === undefined ? [] : [[section, digestOf(hash)]];
          },
        );
        previous = totalStateHash(previous, new Map(recorded));
        expect(hex(previous)).toBe(stateHash["stateHash"]);
        if (stateHash["committedGeneratorBalancesHash"] === undefined) continue;

        withGenerators++;
        const commitments = (blocks[height - 2]?.transactions ?? []).flatMap((transaction) =>
          transaction.type === TransactionType.CommitToGeneration
            ? [{ ...transaction, transactionId: transaction.id }]
            : [],
        );
        const { sections } = legacyStateHash(undefined, {
          snapshot: { generationCommitments: commitments },
          chainId,
          generatorBalances: generators
            .filter(({ balance, banned }) => !banned && balance > 0)
            .map(({ balance }) => BigInt(balance)),
        });
        for (const section of finalityStateHashSections) {
          expect([height, section, hex(sections.get(section) ?? previous)]).toEqual([
            height,
            section,
            stateHash[`${section}Hash`],
          ]);
        }
      }
      expect({ heights: heights.length, withGenerators }).toEqual({ heights: 125, withGenerators: 120 });
    },
  );
});

test("a block may change more entries than a call has room for as arguments", () => {
  const address = new Uint8Array(26).fill(1) as Address;
  const keys = Array.from({ length: 150_000 }, (_, number) => String(number).padStart(6, "0"));
  const entries = new StateHashEntries();
  for (const key of keys.toReversed()) entries.add("dataEntry", address, key, { type: "boolean", value: true });
  const bytes = keys.flatMap((key) => [...address, ...utf8Bytes(key), 1, 1]);
  expect(entries.hash("dataEntry")).toEqual(blake2b256(Uint8Array.from(bytes)));
});
