/** Received block against its parent: each rule at its edge, with a violating and a passing value. */
import { describe, expect, test } from "vitest";
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Digest, PublicKey } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import { mainnet } from "../../../src/network/networks/mainnet.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Block, BlockId } from "../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Script } from "../../../src/protocol/transactions/transaction.ts";
import { encodeScript } from "../../../src/ride/script/script-bytes.ts";
import { verifyHeader } from "../../../src/rules/blocks/verify-header.ts";
import { baseTargetAfter, headerAt } from "../../../src/rules/consensus/next-block.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import {
  blockAfter,
  chainOfThree,
  drawOf,
  earliestTimestamp,
  networkOf,
  once,
} from "../../support/builders/next-block.ts";
import { richKey, walletKey } from "../../support/builders/signed-transfer.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const { chainId } = privateNetwork.blockchain;
const viewOf = (lastFeature: number) => once(() => chainOfThree(networkOf(lastFeature)).chain.view);
/** Every feature except the last one is in force. */
const newest = once(() => chainOfThree());
const view = () => newest().chain.view;
/** NXT's formulas, blocks of version 3. */
const ofNxt = viewOf(Feature.Ng);
/** Fair PoS before VRF, blocks of version 4. */
const ofFairPos = viewOf(Feature.BlockReward);
const beforeFeature17 = viewOf(Feature.SynchronousCalls);
const beforeFeature22 = viewOf(Feature.CeaseXtnBuyback);
const eras: readonly (readonly [string, () => StateView])[] = [
  ["under NXT", ofNxt],
  ["under Fair PoS", ofFairPos],
  ["with VRF", view],
];

type Options = Parameters<typeof verifyHeader>[2];

function violationOf(
  block: Block,
  at: StateView = view(),
  options: Partial<Options> = {},
): RuleError["violation"] | undefined {
  try {
    verifyHeader(block, at, { nowMs: newest().nowMs, ...options });
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error.violation;
    throw error;
  }
}

describe.each(eras)("a block %s", (_, era) => {
  test("passes at its generator's earliest time and not a millisecond before", () => {
    const at = era();
    const earliest = earliestTimestamp(at, richKey);
    expect(violationOf(blockAfter(at), at)).toBeUndefined();
    expect(violationOf(blockAfter(at, { timestamp: earliest - 1n }), at)).toEqual({
      code: "blockTimestampTooEarly",
      minimumMs: earliest,
      gotMs: earliest - 1n,
    });
  });

  test("has its generator's generation signature, which later draws continue from", () => {
    const at = era();
    const { hitSource } = drawOf(at, richKey);
    expect(verifyHeader(blockAfter(at), at, { nowMs: newest().nowMs })).toEqual(hitSource);
    const { generationSignature } = blockAfter(at).header;
    for (const index of [0, 31]) {
      const wrong = generationSignature.slice();
      wrong[index] = (wrong[index] as number) ^ 1;
      expect(violationOf(blockAfter(at, { generationSignature: wrong }), at)?.code).toBe("generationSignatureWrong");
    }
  });

  test("has the base target that follows from its timestamp", () => {
    const at = era();
    const baseTarget = baseTargetAfter(at, earliestTimestamp(at, richKey));
    for (const wrong of [baseTarget - 1n, baseTarget + 1n]) {
      const violation = { code: "baseTargetWrong", expected: baseTarget, got: wrong };
      expect(violationOf(blockAfter(at, { baseTarget: wrong }), at)).toEqual(violation);
    }
  });

  test("has its parent as reference", () => {
    const at = era();
    const grandparent = headerAt(at, 2).id;
    expect(violationOf(blockAfter(at, { reference: grandparent }), at)).toEqual({
      code: "blockReferenceUnknown",
      reference: encodeBase58(grandparent),
      tip: encodeBase58(headerAt(at, 3).id),
    });
  });

  test("has its generator's signature, which is not checked again once verified", () => {
    const at = era();
    const block = blockAfter(at);
    const forged = { ...block, signature: blockAfter(at, { timestamp: block.header.timestamp + 1n }).signature };
    expect(violationOf(forged, at)).toEqual({ code: "blockSignatureInvalid", blockId: encodeBase58(block.id) });
    expect(violationOf(forged, at, { verifyBlockSignature: false })).toBeUndefined();
  });
});

test("the error for a wrong generation signature has the right one, if that follows from the chain", () => {
  const right = drawOf(ofNxt(), richKey).generationSignature();
  const wrong = new Uint8Array(32);
  expect(violationOf(blockAfter(ofNxt(), { generationSignature: wrong }), ofNxt())).toEqual({
    code: "generationSignatureWrong",
    reason: `expected ${encodeBase58(right)}, got ${encodeBase58(wrong)}`,
  });
  const violation = violationOf(blockAfter(view(), { generationSignature: new Uint8Array(96) }));
  expect(violation).toEqual({ code: "generationSignatureWrong", reason: "the VRF proof does not verify" });
});

test("a block has the version of its height", () => {
  const block = blockAfter(ofFairPos(), { version: 3 });
  expect(violationOf(block, ofFairPos())).toEqual({ code: "blockVersionUnexpected", expected: 4, got: 3 });
});

test("a block has the form of its version", () => {
  const violation = violationOf(blockAfter(view(), { transactionsRoot: new Uint8Array(32) as Digest }));
  expect(violation?.code).toBe("transactionsRootWrong");
});

test("a block may be less than 100 ms ahead of the clock", () => {
  const block = blockAfter(view());
  const { timestamp } = block.header;
  expect(violationOf(block, view(), { nowMs: Number(timestamp) - 99 })).toBeUndefined();
  expect(violationOf(block, view(), { nowMs: Number(timestamp) - 100 })).toEqual({
    code: "blockFromFuture",
    latestMs: timestamp - 1n,
    gotMs: timestamp,
  });
});

test("an account with a script forges from feature 17 on", () => {
  const before = beforeFeature17();
  const script = encodeScript({
    content: "expression",
    libraryVersion: 4,
    expression: { kind: "constant", value: true },
  }) as Script;
  const scripted = (at: StateView) => {
    const overlay = new OverlayView(at, { height: at.height });
    overlay.apply({ accountScripts: [{ publicKey: richKey.publicKey, script, verifierComplexity: 1n }] });
    return overlay;
  };
  const generator = addressText(addressOfPublicKey(richKey.publicKey, chainId));
  expect(violationOf(blockAfter(before), before)).toBeUndefined();
  expect(violationOf(blockAfter(before), scripted(before))).toEqual({ code: "generatorHasScript", generator });
  expect(violationOf(blockAfter(view()), scripted(view()))).toBeUndefined();
});

test("no block is by a weak key, with which anyone can make proofs; before feature 17 the proof itself decides", () => {
  const generator = new Uint8Array(32) as PublicKey;
  const reasonAt = (at: StateView) => violationOf(blockAfter(at, { generator }), at, { verifyBlockSignature: false });
  expect(reasonAt(view())).toEqual({
    code: "generationSignatureWrong",
    reason: "the generator's public key is weak",
  });
  const before = beforeFeature17();
  expect(reasonAt(before)).toMatchObject({ reason: "the VRF proof does not verify" });
});

test("a generator has the minimum balance or more", () => {
  const [enough, tooLittle] = [walletKey(1), walletKey(2)];
  const least = 100_000_000_000n;
  const balances = [
    { key: enough, amount: least },
    { key: tooLittle, amount: least - 1n },
  ];
  const { chain } = chainOfThree(networkOf(Feature.BoostBlockReward, balances));
  // Small balances have long delays.
  const later = Number(earliestTimestamp(chain.view, enough) + earliestTimestamp(chain.view, tooLittle));
  expect(violationOf(blockAfter(chain.view, { key: enough }), chain.view, { nowMs: later })).toBeUndefined();
  expect(violationOf(blockAfter(chain.view, { key: tooLittle }), chain.view, { nowMs: later })).toEqual({
    code: "generatingBalanceTooLow",
    generator: addressText(addressOfPublicKey(tooLittle.publicKey, chainId)),
    required: least,
    got: least - 1n,
  });
});

test("a state hash is refused before feature 22 requires one", () => {
  const before = beforeFeature22();
  expect(violationOf(blockAfter(before), before)).toBeUndefined();
  expect(violationOf(blockAfter(before, { stateHash: new Uint8Array(32) as Digest }), before)).toEqual({
    code: "headerFieldInvalid",
    field: "stateHash",
    reason: "not supported yet at this height",
  });
  expect(violationOf(blockAfter(view(), { stateHash: new Uint8Array(32) as Digest }))).toBeUndefined();
});

test("an early block of mainnet is accepted after its own parent, and no other block there", () => {
  const parentHeight = 812_608;
  const id = decodeBase58("2GNCYVy7k3kEPXzz12saMtRDeXFKr8cymVsG8Yxx3sZZ75eHj9csfXnGHuuJe7XawbcwjKdifUrV1uMq4ZNCWPf1");
  const features = new Map([[Feature.Ng as number, 0]]);
  const parent = headerAt(ofNxt(), 3);
  const header = { ...parent.header, timestamp: 1_509_000_000_000n };
  const after = new OverlayView(new InMemoryState({ settings: mainnet.blockchain, features, height: parentHeight }), {
    height: parentHeight,
    header: { ...parent, header },
    hitSource: parent.header.generationSignature,
  });
  // Without a balance its generator may never forge.
  const block = blockAfter(after, { timestamp: header.timestamp + 1n });
  const options = { verifyBlockSignature: false };
  expect(violationOf(block, after, options)?.code).toBe("blockTimestampTooEarly");
  expect(violationOf({ ...block, id: id as BlockId }, after, options)).toBeUndefined();
});
