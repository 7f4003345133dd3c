import { describe, expect, test } from "vitest";
import { i32Bytes } from "../../../src/crypto/bytes.ts";
import { blake2b256 } from "../../../src/crypto/hash.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
import {
  initialStateHash,
  stateHashAfterBlockStart,
  stateHashAfterTransaction,
} from "../../../src/protocol/snapshots/state-hash.ts";
import {
  encodeTransactionSnapshot,
  parseTransactionSnapshot,
} from "../../../src/protocol/snapshots/transaction-snapshot.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";

const chainId = "T".charCodeAt(0);
const height = 10;
const noId = new Uint8Array(0) as Uint8Array as TransactionId;
const idOf = (number: number) => blake2b256(i32Bytes(number)) as Uint8Array as TransactionId;
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/**
 * Published vectors: snapshot in base64, state hash after it, id of the transaction if its status needs one. Each
 * continues the chain of the one before, unless it names another one.
 */
interface Vector {
  readonly name: string;
  readonly base64: string;
  readonly hash: string;
  readonly transactionId?: TransactionId;
  readonly previous?: string;
}
const vectors: readonly Vector[] = [
  {
    name: "native balances",
    base64: "CiQKGgFUYP1Q7yDeRXEgffuciL58HC+KIscK2I+1EgYQgJTr3AMKJAoaAVRCxcljc/UP2BNQYE8cFPKmySVq2v0ZsCoSBhCAqNa5Bw==",
    hash: "f0a8b6745534c2d20412f40cdb097b7050898e44531a661ef64fc5be0744ac72",
  },
  {
    name: "asset balances",
    base64:
      "CkMKGgFUYP1Q7yDeRXEgffuciL58HC+KIscK2I+1EiUKIF5mn4IKZ9CIbYdHjPBDoqx4XMevVdwxzhB1OUvTUKJbEJBOCkQKGgFUQsXJY3P1D9gTUGBPHBTypsklatr9GbAqEiYKIHidwBEj1TYPcIKv1LRquL/otRYLv7UmwEPl/Hg6T4lOEKCcAQ==",
    hash: "16c4803d12ee8e9d6c705ca6334fd84f57c0e78c4ed8a9a3dc6c28dcd9b29a34",
  },
  {
    name: "data entries",
    base64:
      "YloKGgFUYP1Q7yDeRXEgffuciL58HC+KIscK2I+1EgUKA2ZvbxISCgNiYXJqC1N0cmluZ1ZhbHVlEiEKA2JhemIaAVRg/VDvIN5FcSB9+5yIvnwcL4oixwrYj7ViLwoaAVRCxcljc/UP2BNQYE8cFPKmySVq2v0ZsCoSCAoDZm9vULAJEgcKA2JhclgB",
    hash: "d33269372999bfd8f7afdf97e23bc343bcf3812f437e8971681a37d56868ec8a",
  },
  {
    name: "account script",
    base64: "Wi4KIFDHWa9Cd6VU8M20LLFHzbBTveERf1sEOw19SUS40GBoEgcGAQaw0U/PGPoB",
    hash: "dcdf7df91b11fdbeb2d99c4fd64abb4657adfda15eed63b1d4730aa2b6275ee2",
  },
  {
    name: "asset script",
    base64: "QisKIHidwBEj1TYPcIKv1LRquL/otRYLv7UmwEPl/Hg6T4lOEgcGAQaw0U/P",
    hash: "d3c7f2aeb1d978ecebc2fe1f0555e4378cef5171db460d8bbfebef0e59c3a44c",
  },
  {
    name: "new lease",
    base64:
      "EiIKGgFUYP1Q7yDeRXEgffuciL58HC+KIscK2I+1GICa4uEQEiIKGgFUQsXJY3P1D9gTUGBPHBTypsklatr9GbAqEICuzb4UGmYKILiCMyyFggW8Zd2LGt/AtMr7WWp+kfWbzlN93pXZqzqNEiBQx1mvQnelVPDNtCyxR82wU73hEX9bBDsNfUlEuNBgaBoaAVRCxcljc/UP2BNQYE8cFPKmySVq2v0ZsCoggPKLqAk=",
    hash: "2665ce187b867f2dae95699882d9fd7c31039c505b8af93ed22cada90524ff37",
  },
  {
    name: "cancelled lease",
    base64:
      "EiIKGgFUMCPLqLW81X2Atgaj2KwF9QkaJq47Cev9GICo1rkHEhwKGgFUYSJd8vzI9rq7GdIuDy65JMc8zi497E98IiIKILiCMyyFggW8Zd2LGt/AtMr7WWp+kfWbzlN93pXZqzqN",
    hash: "dafc56fb4f5e13ddd3e82547874e154c5c61ac556e76e9e9766b5d7ccbc1e1be",
  },
  {
    name: "sponsorship",
    base64: "aiUKIHidwBEj1TYPcIKv1LRquL/otRYLv7UmwEPl/Hg6T4lOEPwq",
    hash: "d9eab5091d57c18c38e0a8702e7cbe6f133e109281f2ef0f2bc88686b458f31f",
  },
  {
    name: "alias",
    base64: "SiYKGgFUQsXJY3P1D9gTUGBPHBTypsklatr9GbAqEgh3YXZlc2V2bw==",
    hash: "eaa251c161cfe875932275ce6ff8873cd169099e021f09245f4069ccd58d6669",
  },
  {
    name: "order fills",
    base64:
      "UisKIMkknO8yHpMUT/XKkkdlrbYCG0Dt+qvVgphfgtRbyRDMEICU69wDGNAPUisKIJZ9YwvJObbWItHAD2zhbaFOTFx2zQ4p0Xbo81GXHKeEEICU69wDGNAP",
    hash: "de22575b5c2ef7de6388c0ea96e6d0f172802f4c8e33684473c91af65866b1d4",
  },
  {
    name: "new assets",
    base64:
      "KkYKIF5mn4IKZ9CIbYdHjPBDoqx4XMevVdwxzhB1OUvTUKJbEiDcYGFqY9MotHTpDpskoycN/Mt62bZfPxIC4fpU0ZTBniABKkYKIHidwBEj1TYPcIKv1LRquL/otRYLv7UmwEPl/Hg6T4lOEiDcYGFqY9MotHTpDpskoycN/Mt62bZfPxIC4fpU0ZTBnhgIMi8KIHidwBEj1TYPcIKv1LRquL/otRYLv7UmwEPl/Hg6T4lOEAEaCQT/////////9jIlCiBeZp+CCmfQiG2HR4zwQ6KseFzHr1XcMc4QdTlL01CiWxoBAQ==",
    hash: "5f09358e944a386ad12b4f6e22c79a5c614967f6da40465e30d878e9b58e75e2",
  },
  {
    name: "reissued asset",
    base64: "MigKIDhvjT3TTlJ+v4Ni205vcYc1m9WWgnQPFovjmJI1H62yGgQ7msoA",
    hash: "6d5e0f4e2a4b650541b66711bbc687f51fea7bc3aa35b43642e21ab3dd064743",
  },
  {
    name: "renamed asset",
    base64: "OkMKIHidwBEj1TYPcIKv1LRquL/otRYLv7UmwEPl/Hg6T4lOEgduZXduYW1lGhZzb21lIGZhbmN5IGRlc2NyaXB0aW9u",
    hash: "885ac4b03397e63cdc1a2e3fe60d2aae0d4701e5cfb8c19ca80feb912a028a48",
  },
  {
    name: "failed transaction",
    base64: "CiQKGgFUQsXJY3P1D9gTUGBPHBTypsklatr9GbAqEgYQ4PHE1wlwAQ==",
    transactionId: idOf(0xaabbef20),
    hash: "4185fb099c6dd4f483d4488045cc0912f02b9c292128b90142367af680ce2a32",
  },
  {
    name: "elided transaction",
    base64: "cAI=",
    transactionId: idOf(0xaabbef40),
    hash: "7a15507d73ff9f98c3c777e687e23a4c8b33d02212203be73f0518403e91d431",
  },
  {
    name: "generation commitment",
    base64:
      "elQKIFDHWa9Cd6VU8M20LLFHzbBTveERf1sEOw19SUS40GBoEjClNZnZuWAuxl9jJQvexSkYmeAQrkeM/TgsvxLWWZVJNXnZc0eA/B/5caKTxcZFQi4=",
    hash: "9ef6a85dd20ebb3834bcf391baff065803ba90e8cc3db1ff81062466a866d56f",
  },
  {
    name: "volume that needs a sign byte",
    base64: "MigKIOfYm9p3M/NiYXCvwCU3ho5eVFpwE5iekWev4QXhZMvuEAEaAgDI",
    previous: "6502773294f32cc1702d374ffc1e67ee278cd63c5f00432f80f64a689fcb17f9",
    hash: "b5f7e36556cb0d9a72bc9612be017a3cf174cfcb059d86c91621bfe7e8b74ff1",
  },
];

describe("state hash", () => {
  test("the chain begins with the hash of nothing", () => {
    expect(hex(initialStateHash)).toBe("0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  });

  let last = hex(initialStateHash);
  for (const { name, base64, hash, transactionId = noId, previous = last } of vectors) {
    last = hash;
    test(`the published vector holds: ${name}`, () => {
      const bytes = new Uint8Array(Buffer.from(base64, "base64"));
      const { snapshot, status } = parseTransactionSnapshot(bytes, { transactionId, chainId });
      const before = new Uint8Array(Buffer.from(previous, "hex")) as Uint8Array as Digest;

      expect(hex(stateHashAfterTransaction(before, snapshot, { height, transactionId, status }))).toBe(hash);
      expect(Buffer.from(encodeTransactionSnapshot({ snapshot, status })).toString("base64")).toBe(base64);
    });
  }

  test("the published vector holds: all kinds of changes in one failed transaction", () => {
    const parts = vectors.filter(
      ({ name }) => !["asset script", "failed transaction", "elided transaction"].includes(name),
    );
    // Concatenated protobuf messages are one message with the fields of all; 112 is the tag of the status.
    const bytes = Buffer.concat([
      ...parts.slice(0, -1).map(({ base64 }) => Buffer.from(base64, "base64")),
      Uint8Array.of(112, 1),
    ]);
    const transactionId = idOf(0xaabbef50);
    const { snapshot, status } = parseTransactionSnapshot(new Uint8Array(bytes), { transactionId, chainId });
    const before = "9ef6a85dd20ebb3834bcf391baff065803ba90e8cc3db1ff81062466a866d56f";
    const previous = new Uint8Array(Buffer.from(before, "hex")) as Uint8Array as Digest;
    const after = stateHashAfterTransaction(previous, snapshot, { height, transactionId, status });
    expect(hex(after)).toBe("cbb63f4751337d18b989f95849cc6c90736439efa27a03d533dd53517f556cba");
  });

  test("equal entries count once, and their order does not matter", () => {
    const { base64 } = vectors[0] as Vector;
    const { snapshot } = parseTransactionSnapshot(new Uint8Array(Buffer.from(base64, "base64")), {
      transactionId: noId,
      chainId,
    });
    const balances = snapshot.balances ?? [];
    const result = { height, transactionId: noId, status: "succeeded" } as const;
    const expected = hex(stateHashAfterTransaction(initialStateHash, snapshot, result));

    const shuffled = { balances: [...balances, ...balances.toReversed()] };
    expect(hex(stateHashAfterTransaction(initialStateHash, shuffled, result))).toBe(expected);
  });

  test("an empty start of a block, and the genesis block's, leave the hash as it is", () => {
    const { base64 } = vectors[0] as Vector;
    const { snapshot } = parseTransactionSnapshot(new Uint8Array(Buffer.from(base64, "base64")), {
      transactionId: noId,
      chainId,
    });
    expect(stateHashAfterBlockStart(initialStateHash, {}, 2)).toBe(initialStateHash);
    expect(stateHashAfterBlockStart(initialStateHash, { balances: [] }, 2)).toBe(initialStateHash);
    expect(stateHashAfterBlockStart(initialStateHash, snapshot, 1)).toBe(initialStateHash);
    expect(stateHashAfterBlockStart(initialStateHash, snapshot, 2)).not.toEqual(initialStateHash);
  });
});
