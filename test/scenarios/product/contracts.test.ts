/** Contract as a dApp developer uses it: compiled, set, called, evaluated and made to fail, over HTTP alone. */
import { data, invokeScript, seedUtils, setScript, transfer } from "@waves/waves-transactions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalNode, readyNode } from "../../../verification/local-node.ts";
import { getJson, sentAndConfirmed } from "../../support/builders/started-node.ts";

const masterSeed = "waves private node seed with waves tokens";
const chainId = "R";
const source = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
let total = getInteger("total").valueOrElse(0)
@Callable(i)
func deposit() = {
  let paid = i.payments[0]
  if (paid.assetId != unit) then throw("WAVES only")
  else ([IntegerEntry("total", total + paid.amount), StringEntry("last", i.caller.toString())], total + paid.amount)
}
@Callable(i)
func giveBack(amount: Int) = {
  strict deposited = invoke(this, "check", [amount], [])
  [ScriptTransfer(i.caller, amount, unit), IntegerEntry("total", total - amount)]
}
@Callable(i)
func check(amount: Int) = if (amount > total) then throw("too much: " + amount.toString()) else ([], true)
@Verifier(tx)
func verify() = match tx {
  case _: DataTransaction => false
  case _ => sigVerify(tx.bodyBytes, tx.proofs[0], tx.senderPublicKey)
}`;

let node: LocalNode;
const dApp = new seedUtils.Seed(seedUtils.generateNewSeed(), chainId);
const caller = new seedUtils.Seed(seedUtils.generateNewSeed(), chainId);

beforeAll(async () => {
  node = await readyNode(["--memory"]);
  for (const { address } of [dApp, caller])
    await sent(transfer({ recipient: address, amount: 10_0000_0000, chainId }, masterSeed));
});
afterAll(() => node.stop());

const post = async (path: string, body: string, type = "application/json") => {
  const response = await fetch(`${node.url}${path}`, { method: "POST", body, headers: { "Content-Type": type } });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
};

const sent = (tx: { readonly id: string }) => sentAndConfirmed(node.url, tx);

const call = (name: string, args: readonly { type: "integer"; value: number }[], amount?: number) =>
  invokeScript(
    {
      dApp: dApp.address,
      call: { function: name, args: [...args] },
      payment: amount === undefined ? [] : [{ assetId: null, amount }],
      fee: 500_000,
      chainId,
    },
    caller.phrase,
  );

test("a source is compiled, its script set, and the interface shows its cost", async () => {
  const { json } = await post("/utils/script/compileCode", source, "text/plain");
  expect(Object.keys(json["callableComplexities"] as object).sort()).toEqual(["check", "deposit", "giveBack"]);
  await sent(setScript({ script: String(json["script"]), fee: 1_000_000, chainId }, dApp.phrase));
  const info = await getJson<Record<string, unknown>>(`${node.url}/addresses/scriptInfo/${dApp.address}`);
  const { verifierComplexity, callableComplexities } = json;
  expect(info).toMatchObject({ version: 6, verifierComplexity, callableComplexities, extraFee: 0 });
});

test("a call pays, writes data, and shows its changes", async () => {
  const info = await sent(call("deposit", [], 7000));
  expect(info).toMatchObject({
    applicationStatus: "succeeded",
    stateChanges: {
      data: [
        { key: "total", type: "integer", value: 7000 },
        { key: "last", type: "string", value: caller.address },
      ],
    },
  });
  expect(await getJson(`${node.url}/addresses/data/${dApp.address}/total`)).toMatchObject({ value: 7000 });
});

test("a dApp's call of itself returns before the rest goes on", async () => {
  const info = await sent(call("giveBack", [{ type: "integer", value: 3000 }]));
  expect(info).toMatchObject({
    stateChanges: {
      transfers: [{ address: caller.address, asset: null, amount: 3000 }],
      invokes: [{ dApp: dApp.address, call: { function: "check", args: [{ type: "Int", value: 3000 }] } }],
    },
  });
});

test("a call can be evaluated without sending it, and expressions see the dApp's names", async () => {
  const path = `/utils/script/evaluate/${dApp.address}`;
  const expression = await post(path, JSON.stringify({ expr: "total + 1" }));
  expect(expression.json).toMatchObject({ result: { type: "Int", value: 4001 } });
  const evaluated = await post(
    path,
    JSON.stringify({ call: { function: "check", args: [{ type: "integer", value: 4000 }] } }),
  );
  expect(evaluated.json).toMatchObject({ result: { value: { _2: { type: "Boolean", value: true } } } });
});

test("a call that would fail is refused with the script's own message, and a trace shows its values", async () => {
  const tx = call("giveBack", [{ type: "integer", value: 5000 }]);
  const { status, json } = await post("/transactions/broadcast?trace=true", JSON.stringify(tx));
  expect(status).toBe(400);
  expect(json).toMatchObject({ error: 306 });
  expect(String(json["message"])).toContain("too much: 5000");
  expect(JSON.stringify(json["trace"])).toContain('"name":"amount"');
});

test("the verifier allows no data beyond the contract's", async () => {
  const tx = data({ data: [{ key: "total", type: "integer", value: 0 }], fee: 500_000, chainId }, dApp.phrase);
  const { status, json } = await post("/transactions/broadcast", JSON.stringify(tx));
  expect(status).toBe(400);
  expect(json).toMatchObject({ error: 307 });
});
