/** Reads of the state by scripts. @see Waves: transaction/smart/WavesEnvironment.scala */
import { describe, expect, it } from "vitest";
import { addressOfPublicKey, addressOfPublicKeyHash } from "../../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { Address, Signature } from "../../../../src/crypto/identities.ts";
import { Feature } from "../../../../src/network/features.ts";
import type { BlockHeader, BlockId, SignedHeader } from "../../../../src/protocol/blocks/block.ts";
import type { ScriptRecipient } from "../../../../src/ride/objects/recipients.ts";
import type { Structure } from "../../../../src/ride/values/value.ts";
import { HistoryMissing } from "../../../../src/rules/state/history-missing.ts";
import { OverlayView } from "../../../../src/rules/state/overlay-view.ts";
import { StoredParent } from "../../../../src/rules/state/stored-parent.ts";
import {
  type ScriptOwner,
  StateEnvironment,
  type StateEnvironmentOptions,
} from "../../../../src/rules/transactions/scripts/state-environment.ts";
import { addresses, assetId, chainId, keys, sample } from "../../../support/builders/sample-transactions.ts";
import { scriptOf } from "../../../support/builders/test-scripts.ts";
import { InMemoryState, type StateOptions } from "../../../support/fakes/in-memory-state.ts";

const { alice, bob } = addresses;
const owner: ScriptOwner = { kind: "account", address: alice };
const environmentOf = (view: StateEnvironmentOptions["view"], options: Partial<StateEnvironmentOptions> = {}) =>
  new StateEnvironment({ view, owner, transactionId: () => new Uint8Array(32), libraryVersion: 6, ...options });
const ofAddress = (bytes: Uint8Array): ScriptRecipient => ({ kind: "address", bytes });
const ofAlias = (alias: string): ScriptRecipient => ({ kind: "alias", alias });
const until = (feature: number): StateOptions => ({
  features: new Map(Array.from({ length: feature }, (_, index) => [index + 1, 0])),
});
const entry = (key: string, value: bigint | null) => ({
  key,
  value: value === null ? null : ({ type: "integer", value } as const),
});

describe("a node that began with a checkpoint", () => {
  const from = (historyFrom: number) => {
    const view = new InMemoryState({ ...until(Feature.BlockV5), height: 5_000 });
    Object.defineProperty(view, "historyFrom", { value: historyFrom });
    return environmentOf(view);
  };

  it("returns nothing to scripts about blocks and transactions below its first block", () => {
    const environment = from(3_001);
    const id = encodeBase58(new Uint8Array(32).fill(7));
    const message = `transaction ${id} may stand below block 3001, the first one that this node has`;
    for (const idSize of [32, 64]) {
      expect(() => environment.findTransactionHeight(new Uint8Array(idSize).fill(7))).toThrow(HistoryMissing);
    }
    expect(() => environment.findTransfer(new Uint8Array(32).fill(7))).toThrow(message);
    expect(() => environment.findTransaction(new Uint8Array(32).fill(7))).toThrow(message);
    expect(() => environment.findBlock(100)).toThrow("block 100 may stand below block 3001");
  });

  it("returns an absence that is certain: blocks that no chain has, and transactions with invalid ids", () => {
    const environment = from(3_001);
    for (const height of [-1, 0, 5_001]) expect(environment.findBlock(height)).toBeUndefined();
    expect(environment.findTransactionHeight(new Uint8Array(31))).toBeUndefined();
    expect(from(1).findBlock(100)).toBeUndefined();
    expect(from(1).findTransactionHeight(new Uint8Array(32))).toBeUndefined();
  });
});

describe("accounts", () => {
  const state = () =>
    new InMemoryState()
      .withBalance(alice, 100n)
      .withLeaseBalance(alice, { in: 7n, out: 30n })
      .with({ aliases: [{ address: alice, alias: { chainId, name: "alice" } }] })
      .with({ accountData: [{ address: alice, entries: [entry("k", 5n)] }] });

  it("have balances, found by address and by alias", () => {
    const environment = environmentOf(state().withBalance(alice, 3n, assetId(1)));
    expect(environment.balance(ofAddress(alice), undefined)).toBe(100n);
    expect(environment.balance(ofAlias("alice"), assetId(1))).toBe(3n);
    expect(environment.balance(ofAddress(bob), assetId(77))).toBe(0n);
    expect(environment.wavesBalance(ofAddress(alice))).toMatchObject({ available: 70n, regular: 100n, effective: 77n });
  });

  it("of other chains have a balance of 0, but no details", () => {
    const foreign = addressOfPublicKeyHash(new Uint8Array(20), "W".charCodeAt(0));
    expect(environmentOf(state()).balance(ofAddress(foreign), undefined)).toBe(0n);
    expect(() => environmentOf(state()).wavesBalance(ofAddress(foreign))).toThrow(
      "InvalidAddress(Address belongs to another network: expected: 82(R), actual: 87(W))",
    );
  });

  it("with invalid addresses or aliases have the reference's message", () => {
    const environment = environmentOf(state());
    const wavesBalance = (recipient: ScriptRecipient) => () => environment.wavesBalance(recipient);
    expect(wavesBalance(ofAddress(Uint8Array.of(1, 2)))).toThrow(
      "InvalidAddress(Wrong addressBytes length: expected: 26, actual: 2)",
    );
    expect(wavesBalance(ofAlias("abc"))).toThrow("GenericError(Alias 'abc' length should be between 4 and 30)");
    expect(wavesBalance(ofAlias("nobody"))).toThrow("Alias 'alias:R:nobody' does not exist.");
    const balance = (bytes: Uint8Array) => () => environment.balance(ofAddress(bytes), undefined);
    expect(balance(Uint8Array.of(9))).toThrow(`Not a valid recipient: ${encodeBase58(Uint8Array.of(9))}`);
    expect(balance(Uint8Array.of(2))).toThrow("GenericError(Bad alias bytes)");
    const aliasBytes = Uint8Array.of(2, chainId, 0, 5, ...new TextEncoder().encode("alice"));
    expect(environment.balance(ofAddress(aliasBytes), undefined)).toBe(100n);
  });

  it("have data, or nothing if they do not exist", () => {
    const environment = environmentOf(state());
    expect(environment.findData(ofAlias("alice"), "k")).toBe(5n);
    expect(environment.findData(ofAddress(alice), "other")).toBeUndefined();
    expect(environment.findData(ofAlias("x"), "k")).toBeUndefined();
    expect(environment.findData(ofAddress(Uint8Array.of(1)), "k")).toBeUndefined();
  });

  it("that ever had an entry have touched their storage", () => {
    const touched = state().with({ accountData: [{ address: alice, entries: [entry("k", null)] }] });
    expect(environmentOf(touched).findData(ofAddress(alice), "k")).toBeUndefined();
    expect(environmentOf(touched).hasData(ofAddress(alice))).toBe(true);
    expect(environmentOf(touched).hasData(ofAddress(bob))).toBe(false);
    expect(environmentOf(touched).hasData(ofAlias("no"))).toBe(false);
  });

  it("have scripts", () => {
    const script = scriptOf("true");
    const environment = environmentOf(state().withAccountScript(keys.alice, 1n, script));
    expect(environment.findScript(ofAlias("alice"))).toBe(script);
    expect(environment.findScript(ofAddress(bob))).toBeUndefined();
  });

  it("are found by alias", () => {
    expect(environmentOf(state()).resolveAlias("alice")).toEqual(alice);
    expect(() => environmentOf(state()).resolveAlias("nobody")).toThrow("Alias 'alias:R:nobody' does not exist.");
    expect(() => environmentOf(state()).resolveAlias("UPPER")).toThrow(
      "GenericError(Alias should contain only following characters: -.0123456789@_abcdefghijklmnopqrstuvwxyz)",
    );
  });

  it("show a call's changes so far, and the rest as it was when the call began", () => {
    const view = state();
    const current = new OverlayView(view, { height: view.height });
    current.apply({
      balances: [{ address: alice, asset: null, balance: 55n }],
      aliases: [{ address: bob, alias: { chainId, name: "alice" } }],
    });
    const environment = environmentOf(view, { currentView: () => current });
    expect(environment.balance(ofAddress(alice), undefined)).toBe(55n);
    expect(environment.resolveAlias("alice")).toEqual(alice);
  });
});

describe("assets", () => {
  it("are described", () => {
    const state = new InMemoryState().withAsset(assetId(1), {
      issuer: keys.bob,
      decimals: 2,
      volume: 500n,
      reissuable: false,
      minSponsoredAssetFee: 4n,
    });
    expect(environmentOf(state).findAsset(assetId(1))).toEqual({
      id: assetId(1),
      quantity: 500n,
      decimals: 2,
      issuer: bob,
      issuerPublicKey: keys.bob,
      isReissuable: false,
      isScripted: false,
      minSponsoredFee: 4n,
      name: "aaaa",
      description: "",
    });
    expect(environmentOf(state).findAsset(assetId(2))).toBeUndefined();
  });

  it("are `this` in their own scripts, and no account is", () => {
    const state = new InMemoryState().withAsset(assetId(1), { issuer: keys.bob });
    const environment = environmentOf(state, { owner: { kind: "asset", assetId: assetId(1) } });
    expect((environment.self() as Structure).type).toBe("Asset");
    expect(environment.selfAddress()).toBeUndefined();
    expect((environmentOf(state).self() as Structure).fields.get("bytes")).toEqual(alice);
  });
});

describe("transactions", () => {
  it("are found by id if they succeeded", () => {
    const state = new InMemoryState();
    state.moveTo(50).include(sample(4), "succeeded");
    const environment = environmentOf(state.moveTo(100));
    expect(environment.findTransactionHeight(sample(4).id)).toBe(50);
    expect(environment.findTransaction(sample(4).id)).toEqual(sample(4));
    expect(environment.findTransfer(sample(4).id)?.sender).toEqual(alice);
    expect(environment.findTransactionHeight(new Uint8Array(32))).toBeUndefined();
  });

  it("that failed or were elided are not found", () => {
    for (const status of ["failed", "elided"] as const) {
      const state = new InMemoryState();
      state.include(sample(4), status);
      const environment = environmentOf(state);
      expect(environment.findTransactionHeight(sample(4).id)).toBeUndefined();
      expect(environment.findTransfer(sample(4).id)).toBeUndefined();
    }
  });

  it("of Ethereum wallets are found as transfers once their block is closed", () => {
    const state = new InMemoryState();
    state.moveTo(99).include(sample(18), "succeeded");
    expect(environmentOf(state).findTransfer(sample(18).id)).toBeUndefined();
    const environment = environmentOf(state.moveTo(100));
    expect(environment.findTransfer(sample(18).id)).toMatchObject({
      version: 0,
      amount: 5n,
      sender: alice,
      asset: null,
    });
    expect(environment.findTransaction(sample(18).id)).toBeUndefined();
  });

  it("of Ethereum wallets in the parent are found by those that came in micro-blocks, and not by a key block's own", () => {
    const state = new InMemoryState();
    state.moveTo(99).include(sample(18), "succeeded");
    const storedParent = new StoredParent();
    const inMicroBlock = environmentOf(new OverlayView(state, { height: 100, storedParent }));
    expect(inMicroBlock.findTransfer(sample(18).id)).toMatchObject({ amount: 5n });
    expect(storedParent.hasMattered).toBe(true);
    const own = environmentOf(new OverlayView(state, { height: 100 }));
    expect(own.findTransfer(sample(18).id)).toBeUndefined();
  });
});

describe("blocks", () => {
  const header: BlockHeader = {
    version: 5,
    timestamp: 77n,
    reference: new Uint8Array(32) as BlockId,
    baseTarget: 150n,
    generationSignature: new Uint8Array(96).fill(3),
    generator: keys.carol,
    featureVotes: [],
    rewardVote: -1n,
    transactionsRoot: undefined,
    stateHash: undefined,
    challengedHeader: undefined,
    finalizationVoting: undefined,
  };
  const signed: SignedHeader = {
    header,
    signature: new Uint8Array(64) as Signature,
    id: new Uint8Array(32) as BlockId,
  };
  const dao = addressOfPublicKeyHash(new Uint8Array(20).fill(1), chainId) as Address;
  const viewOf = (options: StateOptions = {}, block: Partial<SignedHeader> = {}): OverlayView =>
    new OverlayView(new InMemoryState(options), {
      height: 101,
      header: { ...signed, ...block },
      hitSource: new Uint8Array(32).fill(4),
      reward: 600n,
    });

  it("show their header and VRF output", () => {
    expect(environmentOf(viewOf()).lastBlock()).toMatchObject({
      timestampMs: 77n,
      height: 101,
      baseTarget: 150n,
      generator: addressOfPublicKey(keys.carol, chainId),
      vrf: new Uint8Array(32).fill(4),
    });
    expect(environmentOf(viewOf()).findBlock(5)).toBeUndefined();
  });

  it("have a VRF output from version 5 on", () => {
    const early = environmentOf(viewOf({}, { header: { ...header, version: 4 } }));
    expect(early.lastBlock().vrf).toBeUndefined();
  });

  it("show rewards from feature 19 on: as thirds, and from feature 20 on as they are paid", () => {
    const functionality = { daoAddress: dao };
    const rewards = (feature: number) =>
      environmentOf(viewOf({ ...until(feature), functionality })).lastBlock().rewards;
    expect(rewards(18)).toEqual([]);
    expect(rewards(Feature.BlockRewardDistribution)).toEqual(
      [
        { address: dao, amount: 200n },
        { address: addressOfPublicKey(keys.carol, chainId), amount: 400n },
      ].sort((left, right) => Buffer.compare(left.address, right.address)),
    );
    expect(rewards(Feature.CappedReward)).toEqual([{ address: addressOfPublicKey(keys.carol, chainId), amount: 600n }]);
  });

  it("give the delay of a generator with a balance", () => {
    const environment = environmentOf(viewOf());
    const delay = environment.delayMs(alice, 100_000_000_000n);
    expect(delay).toBeGreaterThan(0n);
    expect(environment.delayMs(alice, 200_000_000_000n)).toBeLessThan(delay);
  });
});

describe("the input", () => {
  it("is made once, on its first use", () => {
    let made = 0;
    const environment = environmentOf(new InMemoryState(), {
      input: () => {
        made++;
        return 5n;
      },
    });
    expect(made).toBe(0);
    expect([environment.input(), environment.input(), made]).toEqual([5n, 5n, 1]);
    expect(() => environmentOf(new InMemoryState()).input()).toThrow("Expected Transaction or Order");
  });
});
