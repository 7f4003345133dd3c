/** Effects and limits of calls' actions. @source Waves: state/diffs/invoke/InvokeDiffsCommon.scala */
import { describe, expect, it } from "vitest";
import { addressText } from "../../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { Feature } from "../../../../src/network/features.ts";
import { I64_MIN } from "../../../../src/protocol/codec/i64.ts";
import type { JsonObject } from "../../../../src/protocol/json.ts";
import { type TraceStep, traceStepJson } from "../../../../src/rules/transactions/scripts/trace.ts";
import {
  bystander,
  callable,
  caller,
  compiled,
  dApp,
  errorOf,
  expensive,
  invoke,
  ownAsset,
  scriptedAsset,
  waves,
  world,
} from "../../../support/builders/dapps.ts";
import { violationOf } from "../../../support/builders/sample-transactions.ts";

const base58 = (bytes: Uint8Array): string => `base58'${encodeBase58(bytes)}'`;
const bystanderText = `Address(${base58(bystander)})`;
const gives = (version: number, result: string, before = "") =>
  world({ dApp: compiled(version, callable(result, before)) });

describe("transfers", () => {
  it("a transfer moves WAVES from the dApp, and is in the result", () => {
    const { snapshot, callResult } = invoke(gives(6, `[ScriptTransfer(${bystanderText}, 5, unit)]`));
    expect(snapshot.balances).toContainEqual({ address: bystander, asset: null, balance: 5n });
    expect(callResult?.transfers).toEqual([{ address: bystander, asset: null, amount: 5n }]);
  });

  it("a negative amount is refused as a result of the callable", () => {
    const state = gives(6, `[ScriptTransfer(${bystanderText}, -1, unit)]`);
    expect(errorOf(state)).toBe("GenericError(Negative transfer amount = -1)");
  });

  it("a dApp cannot transfer to itself from version 4 on", () => {
    expect(errorOf(gives(4, "[ScriptTransfer(this, 1, unit)]"))).toBe("DApp self-transfer is forbidden since V4");
  });

  it("if feature 17 came before 15, a dApp cannot send itself more of a scripted asset than it has", () => {
    const features = new Map([
      [Feature.FeeSponsorship, -100_000],
      ...[Feature.SmartAssets, Feature.Ride4DApps, Feature.RideV6].map((feature) => [feature, 0] as const),
    ]);
    const transferred = (amount: number) => {
      const transfers = `[ScriptTransfer(this, ${amount}, ${base58(scriptedAsset)})]`;
      const result = `ScriptResult(WriteSet([]), TransferSet(${transfers}))`;
      const scripts = { dApp: compiled(3, callable(result)), asset: compiled(3, "true", "ASSET") };
      return invoke(world(scripts, { features }), { version: 1 });
    };
    expect(transferred(300).status).toBe("succeeded");
    expect(violationOf(() => transferred(301))).toMatchObject({ code: "balancesInvalid" });
  });

  it("more than available makes the call fail, with the balance in the text", () => {
    const state = gives(6, `[ScriptTransfer(${bystanderText}, ${1_001n * waves}, unit)]`, `strict d = ${expensive(6)}`);
    const { status, callResult } = invoke(state);
    expect(status).toBe("failed");
    expect(callResult?.error?.text).toMatch(/^AccountBalanceError\(VectorMap\(\w+ -> negative waves balance: /);
  });

  it("an asset that was never issued is named", () => {
    const unknown = base58(new Uint8Array(32).fill(9));
    expect(errorOf(gives(5, `[ScriptTransfer(${bystanderText}, 1, ${unknown})]`))).toMatch(
      /^Transfer error: asset '\w+' is not found on the blockchain$/,
    );
  });
});

describe("assets", () => {
  const issue = 'Issue("token", "text", 500, 2, true, unit, 0)';

  it("an asset can be issued, reissued, burned, sponsored and sent in one call", () => {
    const actions = `[a, Reissue(id, 50, true), Burn(id, 20), SponsorFee(id, 5), ScriptTransfer(${bystanderText}, 10, id)]`;
    const { snapshot, callResult } = invoke(gives(6, actions, `let a = ${issue}\nlet id = a.calculateAssetId()`));
    const [issued] = callResult?.issues ?? [];
    expect(snapshot.assetVolumes).toEqual([{ assetId: issued?.assetId, reissuable: true, volume: 530n }]);
    expect(snapshot.sponsorships).toEqual([{ assetId: issued?.assetId, minSponsoredAssetFee: 5n }]);
    expect(snapshot.balances).toContainEqual({ address: dApp.address, asset: issued?.assetId, balance: 520n });
  });

  it("an issue costs 1 WAVES more than the call, an NFT does not", () => {
    const low = { fee: 500_000n };
    expect(errorOf(gives(6, `[${issue}]`, `strict d = ${expensive(6)}`), low)).toBe(
      "Fee in WAVES for InvokeScriptTransaction (500000 in WAVES) with 1 assets issued does not exceed minimal value of 100500000 WAVES.",
    );
    expect(errorOf(gives(6, '[Issue("single", "", 1, 0, false, unit, 0)]'), low)).toBe("no error");
  });

  it.each([
    ['Issue("abc", "", 1, 0, true, unit, 0)', "GenericError(Invalid asset name)"],
    ['Issue("token", "", 1, 9, true, unit, 0)', "Invalid decimals 9"],
    [`Reissue(${base58(ownAsset)}, -1, true)`, "GenericError(Negative reissue quantity = -1)"],
    [`Burn(${base58(ownAsset)}, -1)`, "GenericError(Negative burn quantity = -1)"],
    [`SponsorFee(${base58(ownAsset)}, 0)`, "NegativeMinFee(0,asset)"],
    [`Burn(${base58(ownAsset)}, 301)`, /^AccountBalanceError\(VectorMap\(\w+ -> negative asset balance: /],
  ])("%s is refused", (action, text) => {
    expect(errorOf(gives(6, `[${action}]`))).toEqual(typeof text === "string" ? text : expect.stringMatching(text));
  });
});

describe("leases", () => {
  it("a lease and its end in one call leave the balances as they were", () => {
    const lease = `let l = Lease(${bystanderText}, 100)`;
    const { snapshot, callResult } = invoke(gives(5, "[l, LeaseCancel(l.calculateLeaseId())]", lease));
    const id = callResult?.leases[0]?.leaseId;
    expect(snapshot.newLeases?.[0]?.leaseId).toEqual(id);
    expect(snapshot.cancelledLeases?.[0]?.leaseId).toEqual(id);
    expect(snapshot.leaseBalances?.every((change) => change.in === 0n && change.out === 0n)).toBe(true);
  });

  it("the end of a lease is the whole lease in a trace, from the state or the same call", () => {
    const lease = `let l = Lease(${bystanderText}, 100)`;
    const ending = gives(5, "[l, LeaseCancel(l.calculateLeaseId())]", lease);
    const cancelsIn = (state: ReturnType<typeof gives>) => {
      const trace: TraceStep[] = [];
      invoke(state, { trace });
      const shown = trace.map((step) => traceStepJson(step, false)) as { result?: { leaseCancels?: unknown } }[];
      return shown.flatMap(({ result }) => result?.leaseCancels ?? []);
    };
    const whole = { recipient: addressText(bystander), amount: 100n, status: "canceled" };
    const [own] = cancelsIn(ending) as JsonObject[];
    expect(own).toMatchObject({
      ...whole,
      originTransactionId: own?.["cancelTransactionId"],
      cancelHeight: own?.["height"],
    });
    const made = gives(5, "[l]", lease);
    const { snapshot } = invoke(made);
    const id = snapshot.newLeases?.[0]?.leaseId as Uint8Array;
    const state = gives(5, `[LeaseCancel(${base58(id)})]`).with({ newLeases: snapshot.newLeases ?? [] });
    const [stored] = cancelsIn(state) as JsonObject[];
    expect(stored).toMatchObject({ ...whole, id: encodeBase58(id), cancelTransactionId: expect.any(String) as string });
  });

  it.each([
    ["Lease(this, 5)", "Cannot lease to self"],
    [`Lease(${bystanderText}, 0)`, "NonPositiveAmount(0,waves)"],
    ["LeaseCancel(base58'333')", "Lease id=333 has invalid length = 2 byte(s) while expecting 32"],
  ])("%s is refused", (action, text) => {
    expect(errorOf(gives(5, `[${action}]`))).toBe(text);
  });
});

describe("scripts of assets", () => {
  const sends = (asset: string) =>
    world({
      dApp: compiled(
        6,
        callable(`[ScriptTransfer(${bystanderText}, 7, ${base58(scriptedAsset)})]`, `strict d = ${expensive(6)}`),
      ),
      asset: compiled(6, asset, "ASSET"),
    });

  it("a script that refuses makes the call fail with code 3", () => {
    expect(invoke(sends("false")).callResult?.error).toEqual({
      code: 3,
      text: `Transaction is not allowed by script of the asset ${encodeBase58(scriptedAsset)}`,
    });
  });

  it("a script that throws is quoted", () => {
    expect(invoke(sends('if (height == 0) then true else throw("no way")')).callResult?.error).toEqual({
      code: 3,
      text: `Transaction is not allowed by script of the asset ${encodeBase58(scriptedAsset)}: no way`,
    });
  });

  it("a script sees a transfer of the dApp without fee and body", () => {
    const sees = `match tx {
      case t: TransferTransaction => t.amount == 7 && t.fee == 0 && t.bodyBytes.size() == 0 && t.sender == Address(${base58(dApp.address)})
      case _ => false
    }`;
    expect(invoke(sends(sees)).status).toBe("succeeded");
  });

  it("a refused payment makes the call fail with code 4", () => {
    const state = world({
      dApp: compiled(6, callable("[]", `strict d = ${expensive(6)}`)),
      asset: compiled(6, "false", "ASSET"),
    });
    const payments = [{ asset: scriptedAsset, amount: 1n }];
    expect(invoke(state, { payments }).callResult?.error?.code).toBe(4);
  });
});

describe("before feature 17", () => {
  const features = new Map(
    Array.from({ length: Feature.SynchronousCalls }, (_, index) => [index + 1, index + 1 === 7 ? -100_000 : 0]),
  );

  it("a negative reissue refuses the transaction, however late it comes", () => {
    const script = compiled(5, callable(`[Reissue(${base58(ownAsset)}, -1, true)]`, `strict d = ${expensive(6)}`));
    expect(() => invoke(world({ dApp: script }, { features }))).toThrow(
      expect.objectContaining({ violation: { code: "callRejected", message: "Negative reissue quantity = -1" } }),
    );
  });

  it.each([
    ["Reissue", -1n, "Asset total value overflow"],
    ["Reissue", I64_MIN, "Asset total value overflow"],
    ["Burn", -1n, "no error"],
    ["Burn", I64_MIN, /negative asset balance: .* -> -9223372036854775508\)/],
  ])("%s of %s, before it is checked, is computed in 64 bits", (action, quantity, text) => {
    const number = quantity === I64_MIN ? `(${I64_MIN + 1n} - 1)` : String(quantity);
    const flag = action === "Reissue" ? ", true" : "";
    const script = compiled(
      5,
      callable(`[${action}(${base58(ownAsset)}, ${number}${flag})]`, `strict d = ${expensive(6)}`),
    );
    const early = { features, functionality: { enforceTransferValidationAfter: 1_000 } };
    expect(errorOf(world({ dApp: script }, early))).toEqual(
      typeof text === "string" ? text : expect.stringMatching(text),
    );
  });
});

it("the caller pays the fee, with any actions of the call", () => {
  const { snapshot } = invoke(gives(6, "[]"), { fee: 500_000n });
  expect(snapshot.balances).toEqual([{ address: caller.address, asset: null, balance: 1_000n * waves - 500_000n }]);
});
