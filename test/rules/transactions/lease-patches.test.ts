/**
 * Historical corrections of leases. @see Waves: state/patch/*; gowaves: pkg/state/state.go
 * (generateCancelLeasesSnapshots)
 */

import { describe, expect, it } from "vitest";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { mainnet as mainnetSettings } from "../../../src/network/networks/mainnet.ts";
import { testnet } from "../../../src/network/networks/testnet.ts";
import type { LeaseTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { resolveRecipient } from "../../../src/rules/transactions/checks/recipients.ts";
import { leasePatches } from "../../../src/rules/transactions/lease-patches.ts";
import { keys, leaseId, transactionId } from "../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const mainnet = {
  schemeCharacter: "W",
  signature: mainnetSettings.blockchain.genesis.signature,
  functionality: { resetEffectiveBalancesAtHeight: 462_000, blockVersion3AfterHeight: 795_000 },
  features: new Map([[16, 2_792_473]]),
};
const state = (options = {}) => {
  const view = new InMemoryState({ ...mainnet, ...options });
  const [alice, bob, carol] = [keys.alice, keys.bob, keys.carol].map((key) => view.addressOf(key)) as [
    Address,
    Address,
    Address,
  ];
  const lease = (byte: number, sender: PublicKey, recipient: Address, amount: bigint) => ({
    leaseId: leaseId(byte),
    sender,
    recipient,
    amount,
    originTransactionId: transactionId(byte),
  });
  view
    .withBalance(alice, 100n)
    .withBalance(bob, 1000n)
    .with({
      newLeases: [lease(1, keys.alice, bob, 150n), lease(2, keys.bob, carol, 40n), lease(3, keys.bob, alice, 5n)],
      leaseBalances: [
        { address: alice, in: 5n, out: 150n },
        { address: bob, in: 150n, out: 45n },
        { address: carol, in: 40n, out: 0n },
      ],
    })
    .with({ cancelledLeases: [{ leaseId: leaseId(3), cancelTransactionId: transactionId(9) }] });
  return { view, alice, bob, carol };
};

describe("leasePatches", () => {
  it("changes nothing at any other height", () => {
    for (const height of [1, 461_999, 462_001, 794_999, 795_001, 1_060_001]) {
      expect(leasePatches(state().view.moveTo(height))).toEqual({});
    }
  });

  it("ends all leases at the height of the reset of effective balances", () => {
    const { view, alice, bob, carol } = state();
    expect(leasePatches(view.moveTo(462_000))).toEqual({
      leaseBalances: [alice, bob, carol].map((address) => ({ address, in: 0n, out: 0n })),
      cancelledLeases: [1, 2].map((byte) => ({ leaseId: leaseId(byte), cancelTransactionId: undefined })),
    });
  });

  it("ends the leases of accounts that leased more than they own, at block version 3", () => {
    const { view, alice } = state();
    expect(leasePatches(view.moveTo(795_000))).toEqual({
      leaseBalances: [{ address: alice, in: 5n, out: 0n }],
      cancelledLeases: [{ leaseId: leaseId(1), cancelTransactionId: undefined }],
    });
  });

  it("corrects an account's incoming leases to the sum of active leases, at the height of unique aliases", () => {
    const { view, alice, carol } = state();
    view.withLeaseBalance(carol, { in: 41n, out: 3n });
    expect(leasePatches(view.moveTo(1_060_000))).toEqual({
      leaseBalances: [
        { address: carol, in: 40n, out: 3n },
        { address: alice, in: 0n, out: 150n },
      ],
    });
  });

  it("does not change custom networks, with any character, and testnet only by the reset", () => {
    const heights = [1, 462_000, 795_000, 1_060_000];
    for (const height of heights) {
      for (const schemeCharacter of ["R", "T", "W"])
        expect(leasePatches(state({ schemeCharacter, signature: undefined }).view.moveTo(height))).toEqual({});
    }
    const onTestnet = heights.map((height) =>
      leasePatches(
        state({ schemeCharacter: "T", signature: testnet.blockchain.genesis.signature }).view.moveTo(height),
      ),
    );
    expect(onTestnet.map((patch) => patch.cancelledLeases?.length)).toEqual([undefined, 2, undefined, undefined]);
  });

  it("ends leases to taken over aliases, at the activation of feature 16", () => {
    const { view, alice, bob, carol } = state();
    const leaseTo = (byte: number, name: string): void => {
      const recipient = { kind: "alias", alias: { chainId: view.settings.chainId, name } };
      view.include(
        { type: TransactionType.Lease, id: transactionId(byte), recipient } as unknown as LeaseTransaction,
        "succeeded",
      );
    };
    const aliasOf = (name: string, address: Address) => ({ alias: { chainId: view.settings.chainId, name }, address });
    view.with({ aliases: [aliasOf("taken", alice), aliasOf("own", carol)] }).with({ aliases: [aliasOf("taken", bob)] });
    leaseTo(1, "taken");
    leaseTo(2, "own");
    expect(leasePatches(view.moveTo(2_792_472))).toEqual({});
    expect(leasePatches(view.moveTo(2_792_473))).toEqual({
      leaseBalances: [
        { address: alice, in: 5n, out: 0n },
        { address: bob, in: 0n, out: 45n },
      ],
      cancelledLeases: [{ leaseId: leaseId(1), cancelTransactionId: undefined }],
    });
  });
});

describe("an alias that was taken over on mainnet", () => {
  const { view, alice, bob } = state();
  const alias = { chainId: view.settings.chainId, name: "taken" };
  view.with({ aliases: [{ alias, address: alice }] }).with({ aliases: [{ alias, address: bob }] });
  const resolved = (height: number) => resolveRecipient({ kind: "alias", alias }, view.moveTo(height));

  it("belongs to its last owner until aliases become unique", () => {
    expect(resolved(1_060_000)).toEqual(bob);
  });

  it("belongs to no account from then on", () => {
    expect(() => resolved(1_060_001)).toThrow("aliasDisabled");
  });
});
