import { describe, expect, test } from "vitest";
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import { mainnet } from "../../../src/network/networks/mainnet.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { nextBaseTarget } from "../../../src/rules/consensus/base-target.ts";
import { blockScore } from "../../../src/rules/consensus/block-score.ts";
import { expectedBlockVersion } from "../../../src/rules/consensus/block-version.ts";
import { generationSignature } from "../../../src/rules/consensus/generation-signature.ts";
import { posAlgorithm } from "../../../src/rules/consensus/pos-algorithm.ts";
import { activeByApproval } from "../../support/builders/activation.ts";
import { sharedBytes } from "../../support/fixtures/recorded-lines.ts";

const file = sharedBytes("mainnet/blocks-2-5000.bin");
const reason = file === undefined ? " (skipped: ../shared/fixtures/mainnet is not there)" : "";

interface LegacyHeader {
  readonly version: number;
  readonly timestampMs: bigint;
  readonly baseTarget: bigint;
  readonly generationSignature: Uint8Array;
  readonly generator: PublicKey;
}

/** Consensus fields of a block of version 1 or 2: at fixed positions from its start and end. */
function parseLegacyHeader(block: Buffer): LegacyHeader {
  return {
    version: block.readUInt8(0),
    timestampMs: block.readBigInt64BE(1),
    baseTarget: block.readBigInt64BE(77),
    generationSignature: block.subarray(85, 117),
    generator: block.subarray(-96, -64) as Uint8Array as PublicKey,
  };
}

function parseBlocks(bytes: Buffer): LegacyHeader[] {
  const headers: LegacyHeader[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const end = offset + 4 + bytes.readInt32BE(offset);
    headers.push(parseLegacyHeader(bytes.subarray(offset + 4, end)));
    offset = end;
  }
  return headers;
}

const { functionality, genesis } = mainnet.blockchain;
const features = activeByApproval(functionality, new Map());
const chain: readonly LegacyHeader[] = [
  {
    version: BlockVersion.Genesis,
    timestampMs: genesis.blockTimestampMs,
    baseTarget: genesis.initialBaseTarget,
    generationSignature: new Uint8Array(32),
    generator: new Uint8Array(32) as Uint8Array as PublicKey,
  },
  ...(file === undefined ? [] : parseBlocks(file)),
];
const headerAt = (height: number): LegacyHeader => chain[height - 1] as LegacyHeader;

describe.skipIf(file === undefined)(`the rules over the first 5000 blocks of mainnet${reason}`, () => {
  test("every version and base target is the expected one", () => {
    expect(chain.length).toBe(5_000);
    for (let height = 2; height <= chain.length; height++) {
      const parentHeight = height - 1;
      const parent = headerAt(parentHeight);
      const header = headerAt(height);
      const baseTarget = nextBaseTarget(posAlgorithm({ parentHeight, features, functionality }), {
        averageBlockDelayMs: genesis.averageBlockDelayMs,
        parentHeight,
        parentBaseTarget: parent.baseTarget,
        parentTimestampMs: parent.timestampMs,
        greatGrandparentTimestampMs: parentHeight > 2 ? headerAt(parentHeight - 2).timestampMs : undefined,
        timestampMs: header.timestampMs,
      });
      if (baseTarget !== header.baseTarget) expect(baseTarget, `height ${height}`).toBe(header.baseTarget);
      if (expectedBlockVersion({ height, features, functionality }) !== header.version) {
        expect.fail(`version ${header.version} at height ${height}`);
      }
    }
  });

  test("every generation signature is the next link of the chain", () => {
    expect(chain).toHaveLength(5_000);
    for (let height = 2; height <= chain.length; height++) {
      const { generator, generationSignature: found } = headerAt(height);
      const expected = generationSignature(headerAt(height - 1).generationSignature, generator);
      if (bytesKey(expected) !== bytesKey(found)) expect.fail(`another generation signature at height ${height}`);
    }
  });

  test("scores add up to the known ones", () => {
    const scoreAt = (height: number): bigint =>
      chain.slice(0, height).reduce((score, { baseTarget }) => score + blockScore(baseTarget), 0n);
    expect(scoreAt(1)).toBe(120_000_000_219n);
    expect(scoreAt(31)).toBe(2_313_166_295_294n);
    expect(scoreAt(901)).toBe(26_588_533_320_520n);
  });
});
