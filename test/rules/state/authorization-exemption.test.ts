/** Accounts that a dev chain exempts from authorization. */
import { describe, expect, test } from "vitest";
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { devSettings } from "../../../src/network/dev-settings.ts";
import { Feature } from "../../../src/network/features.ts";
import { namedNetworks } from "../../../src/network/named-networks.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { AuthorizationExemption } from "../../../src/rules/state/authorization-exemption.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import { verifyAuthorization } from "../../../src/rules/transactions/checks/authorization.ts";
import {
  addresses,
  assetId,
  context,
  keys,
  sample,
  sampleOrder,
  sampleSellOrder,
  violationOf,
} from "../../support/builders/sample-transactions.ts";
import { InMemoryState, type StateOptions } from "../../support/fakes/in-memory-state.ts";

const { alice, bob, matcher } = addresses;
const verifying = { ...context, verifySignatures: true };
const devNetwork = devSettings(namedNetworks.private);

const exempting = (...accounts: readonly Address[]) => {
  const covered = new Set(accounts.map(bytesKey));
  return AuthorizationExemption.ofDevChain(devNetwork, (account) => covered.has(bytesKey(account)));
};

function rich(options?: StateOptions): InMemoryState {
  const state = new InMemoryState(options).withAsset(assetId(1), { issuer: keys.bob });
  for (const account of [alice, bob, matcher])
    state.withBalance(account, 10_000_000n).withBalance(account, 5_000n, assetId(1));
  return state;
}
const on = (state: StateView, exemption?: AuthorizationExemption) =>
  new OverlayView(state, { height: state.height, exemption });

describe("an exemption", () => {
  test.each(Object.entries(namedNetworks))("does not exist on %s", (_, network) => {
    expect(() => AuthorizationExemption.ofDevChain(network, () => true)).toThrow("no dev chain");
  });

  test("is that of its view, and of the views on it", () => {
    const exemption = exempting(alice);
    const view = on(on(rich(), exemption));
    expect(view.exemption).toBe(exemption);
    expect(on(rich()).exemption).toBeUndefined();
  });
});

describe("an account that is exempt", () => {
  const proofs = [[], [new Uint8Array(64)], [new Uint8Array(3), new Uint8Array(64)]];
  test.each(proofs.map((each) => [each.length, each] as const))("sends with %i wrong proofs", (_, wrong) => {
    const transfer = sample(TransactionType.Transfer, { proofs: wrong });
    expect(applyTransaction(transfer, on(rich(), exempting(alice)), verifying).status).toBe("succeeded");
    for (const exemption of [undefined, exempting(bob)]) {
      const { code } = violationOf(() => applyTransaction(transfer, on(rich(), exemption), verifying));
      expect(code).toBe(wrong.length === 1 ? "proofInvalid" : "proofCountWrong");
    }
  });

  test("has its script not run, not even in version 1", () => {
    const scripted = rich().withAccountScript(keys.alice, 1n);
    for (const version of [1, 2]) {
      const transfer = sample(TransactionType.Transfer, { version, proofs: [], fee: 500_000n });
      expect(verifyAuthorization(transfer, on(scripted, exempting(alice)), verifying)).toBe(0);
    }
  });

  test("pays the usual fees", () => {
    const transfer = sample(TransactionType.Transfer, { proofs: [], fee: 99_999n });
    expect(violationOf(() => applyTransaction(transfer, on(rich(), exempting(alice)), verifying)).code).toBe(
      "feeTooLow",
    );
  });

  test("places orders without proofs; those of others need theirs", () => {
    const order1 = sampleOrder({ proofs: [] });
    const order2 = sampleSellOrder({ proofs: [] });
    const exchange = sample(TransactionType.Exchange, { order1, order2, proofs: [] });
    const refusalFor = (...accounts: readonly Address[]) =>
      violationOf(() => applyTransaction(exchange, on(rich(), exempting(...accounts)), verifying)).code;
    expect(applyTransaction(exchange, on(rich(), exempting(alice, bob, matcher)), verifying).status).toBe("succeeded");
    expect(refusalFor(alice, bob)).toBe("proofCountWrong");
    expect(refusalFor(alice, matcher)).toBe("proofCountWrong");
    expect(refusalFor(bob, matcher)).toBe("proofCountWrong");
  });

  test("needs a signature for a payment, whose id it is", () => {
    const payment = sample(TransactionType.Payment, { proofs: [new Uint8Array(64)] });
    expect(violationOf(() => verifyAuthorization(payment, on(rich(), exempting(alice)), verifying)).code).toBe(
      "proofInvalid",
    );
  });

  test("is exempt only if a block has a form for transactions without a signature", () => {
    const features = new Map([[Feature.SmartAccounts as number, 0]]);
    const transfer = sample(TransactionType.Transfer, { proofs: [] });
    expect(
      violationOf(() => verifyAuthorization(transfer, on(rich({ features }), exempting(alice)), verifying)).code,
    ).toBe("proofCountWrong");
  });
});
