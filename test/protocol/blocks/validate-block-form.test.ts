import { describe, expect, test } from "vitest";
import type { Digest, PublicKey } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import type { Block, BlockHeader, BlockId, FinalizationVoting } from "../../../src/protocol/blocks/block.ts";
import { headerJson } from "../../../src/protocol/blocks/block-json.ts";
import { challengedBlock, hasValidBlockSignature } from "../../../src/protocol/blocks/block-signature.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { buildBlock, signBlock } from "../../../src/protocol/blocks/build-block.ts";
import { accumulateVoting } from "../../../src/protocol/blocks/finalization-voting.ts";
import { encodeBlock, parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { validateBlockForm, validateHeaderForm } from "../../../src/protocol/blocks/validate-block-form.ts";
import { RuleError } from "../../../src/protocol/errors.ts";

const chainId = "R".charCodeAt(0);
const generator = keyPairOfAccountSeed(new Uint8Array(32).fill(1));
const challenger = keyPairOfAccountSeed(new Uint8Array(32).fill(2));

const fields: BlockHeader = {
  version: BlockVersion.Protobuf,
  timestamp: 1_600_000_000_000n,
  reference: new Uint8Array(32).fill(3) as Uint8Array as BlockId,
  baseTarget: 100n,
  generationSignature: new Uint8Array(96).fill(4),
  generator: generator.publicKey,
  featureVotes: [2, 14],
  rewardVote: -1n,
  transactionsRoot: undefined,
  stateHash: new Uint8Array(32).fill(5) as Uint8Array as Digest,
  challengedHeader: undefined,
  finalizationVoting: undefined,
};
const build = (changes: Partial<BlockHeader> = {}): Block =>
  buildBlock({
    header: { ...fields, ...changes },
    transactions: [],
    privateKey: generator.privateKey,
    chainId,
    random: secureRandomBytes,
  });
const legacy = {
  version: BlockVersion.Reward,
  reference: new Uint8Array(64) as Uint8Array as BlockId,
  generationSignature: new Uint8Array(32),
};

const bytesOf = <Kind extends Uint8Array>(sizeBytes: number) => new Uint8Array(sizeBytes) as Uint8Array as Kind;

describe("validateHeaderForm", () => {
  test.each<[string, Partial<BlockHeader>]>([
    ["a hash as reference", {}],
    ["a signature as reference: the first block of version 5", { reference: bytesOf<BlockId>(64) }],
    ["64 votes", { featureVotes: Array.from({ length: 64 }, (_, index) => index) }],
    ["unsorted votes before version 5", { ...legacy, featureVotes: [3, 1] }],
    // Same as the reference, which validates only the form of blocks it makes and of those in the old binary form.
    ["a vote that occurs twice in version 5", { featureVotes: [1, 1] }],
    ["unsorted votes in version 5", { featureVotes: [3, 1] }],
    ["65 votes in version 5", { featureVotes: Array.from({ length: 65 }, (_, index) => index) }],
    ["no state hash", { stateHash: undefined }],
    ["a state hash of 31 bytes, which is a wrong one", { stateHash: bytesOf<Digest>(31) }],
  ])("accepts %s", (_, changes) => {
    expect(() => validateHeaderForm({ ...fields, ...changes })).not.toThrow();
  });

  test.each<[string, string, Partial<BlockHeader>]>([
    ["a reference of 31 bytes", "reference", { reference: bytesOf<BlockId>(31) }],
    ["a hash as reference before version 5", "reference", { ...legacy, reference: bytesOf<BlockId>(32) }],
    ["a generation signature of 32 bytes", "generationSignature", { generationSignature: bytesOf(32) }],
    ["a VRF proof before version 5", "generationSignature", { ...legacy, generationSignature: bytesOf(96) }],
    ["votes in version 2", "featureVotes", { ...legacy, version: BlockVersion.Plain, featureVotes: [1] }],
    ["a vote that occurs twice", "featureVotes", { ...legacy, featureVotes: [1, 1] }],
    ["65 votes", "featureVotes", { ...legacy, featureVotes: Array.from({ length: 65 }, (_, index) => index) }],
  ])("refuses %s", (_, field, changes) => {
    expect(() => validateHeaderForm({ ...fields, ...changes })).toThrow(
      expect.objectContaining({ violation: expect.objectContaining({ code: "headerFieldInvalid", field }) }),
    );
  });
});

describe("validateBlockForm", () => {
  test("refuses a transactions root that is not the transactions'", () => {
    const block = build();
    expect(() => validateBlockForm(block)).not.toThrow();
    for (const transactionsRoot of [undefined, bytesOf<Digest>(32), bytesOf<Digest>(31)]) {
      expect(() => validateBlockForm({ ...block, header: { ...block.header, transactionsRoot } })).toThrow(RuleError);
    }
  });
});

describe("blocks as bytes", () => {
  test.each([1, 2, 3, 4, 5])("version %i keeps what it can carry", (version) => {
    const header = { ...fields, ...(version < 5 && { ...legacy, stateHash: undefined }), version };
    const carried = {
      ...header,
      featureVotes: version < 3 ? [] : header.featureVotes,
      rewardVote: version < 4 ? -1n : 7n,
    };
    const block = build(carried);
    expect(parseBlock(encodeBlock(block, chainId), chainId)).toEqual(block);
    expect(hasValidBlockSignature(block, chainId)).toBe(true);
  });

  test("votes of more than 16 bits lose the rest of them, in the id too", () => {
    const block = build({ featureVotes: [40_000, 65_536 + 7] });
    const read = parseBlock(encodeBlock(block, chainId), chainId);
    expect(read.header.featureVotes).toEqual([40_000 - 65_536, 7]);
    expect(read.id).toEqual(build({ featureVotes: [40_000 - 65_536, 7] }).id);
  });

  test("what a header says beyond a byte of its version, two of a vote, or of its chain changes nothing", () => {
    const block = build();
    const header = { ...block.header, version: 0x105, featureVotes: [0x1_0002, 0x2_000e] };
    expect(parseBlock(encodeBlock({ ...block, header }, chainId + 1), chainId)).toEqual(block);
    expect(hasValidBlockSignature(parseBlock(encodeBlock(block, chainId), chainId + 1), chainId + 1)).toBe(false);
  });

  test("a protobuf block of another version is refused", () => {
    const bytes = encodeBlock(build({ version: 6 }), chainId);
    expect(() => parseBlock(bytes, chainId)).toThrow(
      expect.objectContaining({
        violation: { code: "blockVersionUnexpected", expected: BlockVersion.Protobuf, got: 6 },
      }),
    );
  });
});

describe("block signatures", () => {
  test("a changed header has none", () => {
    const block = build();
    expect(hasValidBlockSignature({ ...block, header: { ...block.header, baseTarget: 101n } }, chainId)).toBe(false);
    expect(hasValidBlockSignature(block, chainId + 1)).toBe(false);
  });

  test("a key of small order never signs", () => {
    const weak = bytesOf<PublicKey>(32);
    const block = build({ generator: weak });
    expect(hasValidBlockSignature({ ...block, signature: bytesOf(64) }, chainId)).toBe(false);
  });
});

describe("challenging blocks", () => {
  const voting: FinalizationVoting = {
    endorserIndexes: [1, 0],
    finalizedHeight: 5,
    aggregatedEndorsementSignature: new Uint8Array(96).fill(1),
    conflictEndorsements: [],
  };
  const original = build({ finalizationVoting: voting, featureVotes: [5] });
  const { header } = original;
  const challenging = signBlock({
    header: {
      ...header,
      timestamp: 2n,
      generator: challenger.publicKey,
      stateHash: bytesOf<Digest>(32),
      finalizationVoting: undefined,
      challengedHeader: {
        timestamp: header.timestamp,
        baseTarget: header.baseTarget,
        generationSignature: header.generationSignature,
        featureVotes: header.featureVotes,
        generator: header.generator,
        rewardVote: header.rewardVote,
        stateHash: header.stateHash,
        headerSignature: original.signature,
        finalizationVoting: voting,
      },
    },
    transactions: [],
    privateKey: challenger.privateKey,
    chainId,
    random: secureRandomBytes,
  });

  test("keep the block that they replace, whatever is sent", () => {
    const received = parseBlock(encodeBlock(challenging, chainId), chainId);
    expect(received).toEqual(challenging);
    expect(challengedBlock(received, chainId)).toEqual(original);
    expect(challengedBlock(original, chainId)).toBeUndefined();
    expect(hasValidBlockSignature(received, chainId)).toBe(true);
  });

  test("need the signature of the block that they replace", () => {
    const challengedHeader = { ...challenging.header.challengedHeader, baseTarget: 1n };
    const forged = signBlock({
      header: { ...challenging.header, challengedHeader } as BlockHeader,
      transactions: [],
      privateKey: challenger.privateKey,
      chainId,
      random: secureRandomBytes,
    });
    expect(hasValidBlockSignature(forged, chainId)).toBe(false);
  });

  test("are printed with a long state hash of the other as base64, as the reference does", () => {
    const { challengedHeader } = challenging.header;
    const stateHash = bytesOf<Digest>(1_080_000);
    const header = { ...challenging.header, challengedHeader: challengedHeader && { ...challengedHeader, stateHash } };
    const json = headerJson(
      { ...challenging, header },
      {
        height: 2,
        sizeBytes: 1,
        transactionCount: 0,
        totalFee: 0n,
        reward: 0n,
        rewardShares: [],
        vrf: undefined,
        addressOf: () => "address",
      },
    );
    expect(json["challengedHeader"]).toMatchObject({ stateHash: `base64:${"A".repeat(1_440_000)}` });
  });

  test("are printed with the header that they replace", () => {
    const json = headerJson(challenging, {
      height: 2,
      sizeBytes: 1,
      transactionCount: 0,
      totalFee: 0n,
      reward: 0n,
      rewardShares: [],
      vrf: undefined,
      addressOf: () => "address",
    });
    expect(Object.keys(json)).toEqual([
      "version",
      "timestamp",
      "reference",
      "nxt-consensus",
      "transactionsRoot",
      "id",
      "features",
      "desiredReward",
      "generator",
      "generatorPublicKey",
      "stateHash",
      "challengedHeader",
      "signature",
      "blocksize",
      "transactionCount",
      "height",
      "totalFee",
      "reward",
      "rewardShares",
    ]);
    expect(Object.keys(json["challengedHeader"] as object)).toEqual([
      "headerSignature",
      "features",
      "desiredReward",
      "generator",
      "generatorPublicKey",
      "stateHash",
      "finalizationVoting",
    ]);
  });
});

describe("accumulateVoting", () => {
  const conflict = (endorserIndex: number) => ({
    endorserIndex,
    finalizedBlockId: bytesOf<BlockId>(32),
    finalizedHeight: 1,
    endorsedBlockId: bytesOf<BlockId>(32),
    signature: new Uint8Array(96),
  });
  const voting = (endorserIndexes: number[], conflicts: number[]): FinalizationVoting => ({
    endorserIndexes,
    finalizedHeight: 3,
    aggregatedEndorsementSignature: undefined,
    conflictEndorsements: conflicts.map(conflict),
  });

  test("the newest voting counts, and conflicting endorsements add up", () => {
    expect(accumulateVoting(voting([5, 3, 4, 0], [2]), voting([5, 0, 4], [3]))).toEqual(voting([5, 0, 4], [2, 3]));
  });

  test("a micro-block without a voting changes nothing", () => {
    expect(accumulateVoting(voting([1], []), undefined)).toEqual(voting([1], []));
    expect(accumulateVoting(undefined, voting([1], []))).toEqual(voting([1], []));
    expect(accumulateVoting(undefined, undefined)).toBeUndefined();
  });
});
