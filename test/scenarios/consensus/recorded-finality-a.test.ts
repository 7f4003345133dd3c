import { describe, expect, test } from "vitest";
import { parseAddress } from "../../../src/crypto/address.ts";
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import { vrfVerify } from "../../../src/crypto/vrf.ts";
import { Feature } from "../../../src/network/features.ts";
import { parseNetwork, parseSettingsJson } from "../../../src/network/parse-network.ts";
import { nextBaseTarget } from "../../../src/rules/consensus/base-target.ts";
import { blockDelayMs } from "../../../src/rules/consensus/block-delay.ts";
import { nextBlockReward } from "../../../src/rules/consensus/block-reward.ts";
import { approvedFeatures } from "../../../src/rules/consensus/feature-voting.ts";
import {
  generatingBalanceWindow,
  lowestEffectiveBalance,
  requiredGeneratingBalance,
} from "../../../src/rules/consensus/generating-balance.ts";
import { hitOf, hitSourceHeight } from "../../../src/rules/consensus/hit.ts";
import { posAlgorithm } from "../../../src/rules/consensus/pos-algorithm.ts";
import { rewardBoost } from "../../../src/rules/consensus/reward-shares.ts";
import { activeByApproval, countVotes } from "../../support/builders/activation.ts";
import { fixtureText, recordedLines } from "../../support/fixtures/recorded-lines.ts";

interface RecordedHeight {
  readonly height: number;
  readonly timestamp: string;
  readonly baseTarget: string;
  readonly generationSignature: string;
  readonly generator: string;
  readonly generatorPublicKey: string;
  readonly features: readonly number[];
  readonly rewardVote: string;
  readonly reward: string;
  readonly balances: Readonly<Record<string, { readonly effective: string; readonly generating: string }>>;
}

const network = parseSettingsJson(fixtureText("finality-a/network.json")) as {
  readonly accounts: readonly { readonly name: string; readonly address: string }[];
};
const { blockchain } = parseNetwork(network, "finality-a");
const { functionality, rewards, genesis } = blockchain;
const nameOf = new Map(network.accounts.map(({ name, address }) => [address, name]));

const records = recordedLines<RecordedHeight>("finality-a/consensus.jsonl.gz");
const recordAt = (height: number): RecordedHeight => {
  const record = records[height - 1];
  if (record?.height !== height) throw new Error(`nothing was recorded at height ${height}`);
  return record;
};

// The feature under vote, approved by the votes of the first window.
const approvals = new Map(
  approvedFeatures({
    height: 3,
    earlierVotes: countVotes([recordAt(1).features, recordAt(2).features]),
    blockVotes: recordAt(3).features,
    approvals: new Map(),
    functionality,
  }).map((feature) => [feature, 3]),
);
const features = activeByApproval(functionality, approvals);

/** Generating balance of an account for the block after the parent, from the effective balances of all heights. */
const generatingBalanceOf = (name: string, parentHeight: number): bigint =>
  lowestEffectiveBalance(
    records
      .slice(0, parentHeight)
      .map(({ height, balances }) => ({ height, effective: BigInt(balances[name]?.effective ?? 0) })),
    generatingBalanceWindow({ parentHeight, features, functionality }),
  );

describe("the rules over a chain that the Go node made (125 blocks, feature 25 voted in)", () => {
  test("three blocks approve feature 25, and it is in force a window later", () => {
    expect(features.activationHeight(Feature.DeterministicFinality)).toBe(6);
  });

  test("base targets, rewards and their boost follow from the headers", () => {
    let parentReward: bigint | undefined;
    for (const { height, timestamp, baseTarget, reward } of records) {
      const parentHeight = height - 1;
      const voteAt = (voter: number): bigint => BigInt(recordAt(voter).rewardVote);
      parentReward = nextBlockReward({ parentHeight, parentReward, features, rewards, voteAt });
      const paid = (parentReward ?? 0n) * rewardBoost(height, features, functionality);
      expect(paid, `height ${height}`).toBe(BigInt(reward));

      if (height === 1) continue;
      const parent = recordAt(parentHeight);
      const expected = nextBaseTarget(posAlgorithm({ parentHeight, features, functionality }), {
        averageBlockDelayMs: genesis.averageBlockDelayMs,
        parentHeight,
        parentBaseTarget: BigInt(parent.baseTarget),
        parentTimestampMs: BigInt(parent.timestamp),
        greatGrandparentTimestampMs: parentHeight > 2 ? BigInt(recordAt(parentHeight - 2).timestamp) : undefined,
        timestampMs: BigInt(timestamp),
      });
      expect(expected, `height ${height}`).toBe(BigInt(baseTarget));
    }
  });

  test("generating balances are the recorded ones, for all accounts that exist from the start", () => {
    for (const { height, balances } of records) {
      for (const [name, { generating }] of Object.entries(balances)) {
        // The Go node counts an account from its first coins on, the reference from a window later.
        if (name === "dao" || name === "xtn") continue;
        expect(generatingBalanceOf(name, height), `${name} at height ${height}`).toBe(BigInt(generating));
      }
    }
  });

  test("every generator signed at the millisecond that hit, base target and generating balance give, or later", () => {
    const outputs = new Map<number, Uint8Array>([[1, decodeBase58(recordAt(1).generationSignature)]]);
    let onTime = 0;
    for (const record of records.slice(1)) {
      const { height } = record;
      const parentHeight = height - 1;
      const source = outputs.get(hitSourceHeight(parentHeight, features)) ?? new Uint8Array();
      const proof = decodeBase58(record.generationSignature);
      const output = vrfVerify(decodeBase58(record.generatorPublicKey), source, proof);
      if (output === undefined) throw new Error(`the VRF proof at height ${height} is wrong`);
      outputs.set(height, output);

      expect(parseAddress(record.generator, blockchain.chainId)).toBeInstanceOf(Uint8Array);
      const balance = generatingBalanceOf(nameOf.get(record.generator) ?? "", parentHeight);
      expect(balance).toBeGreaterThanOrEqual(requiredGeneratingBalance(parentHeight, features));
      const delayMs = blockDelayMs(posAlgorithm({ parentHeight, features, functionality }), {
        hit: hitOf(output),
        baseTarget: BigInt(recordAt(parentHeight).baseTarget),
        generatingBalance: balance,
      });
      const lateMs = BigInt(record.timestamp) - BigInt(recordAt(parentHeight).timestamp) - delayMs;
      expect(lateMs, `height ${height}`).toBeGreaterThanOrEqual(0n);
      if (lateMs === 0n) onTime += 1;
    }
    expect(onTime).toBe(117);
  });
});
