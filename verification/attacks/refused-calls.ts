/** Calls of complexity about 50,000 that run to their end and are then rejected, so that their sender pays nothing. */
import type { Script } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { compileRide, directives } from "../chain-generator/ride/compile-ride.ts";
import type { Attack } from "./attack.ts";
import { requestLoad, resultName, totalCount } from "./request-load.ts";
import { slowSignature } from "./slow-signatures.ts";

const SIGNATURES = 50;
const FEE = 500_000n;

/** A dApp whose `refused` transfers more than it has, and whose `paid` does not. */
function dApp(): Script {
  const verified = Array.from({ length: SIGNATURES }, (_, at) => `rsaVerify(SHA256, toBytes(${at}), s, k)`).join(
    " || ",
  );
  const callable = (name: string, result: string) =>
    `@Callable(i)\nfunc ${name}(k: ByteVector, s: ByteVector) = { strict x = ${verified}\n${result} }\n`;
  const functions = callable("refused", "[ScriptTransfer(i.caller, 900000000000000, unit)]") + callable("paid", "[]");
  return compileRide(`${directives(6, "DAPP", "ACCOUNT")}\n${functions}`);
}

export const refusedCalls: Attack = {
  name: "refused-calls",
  about: "calls that are refused after a complexity of 50,000",
  prepare: async (node, random) => {
    const [owner, poor] = [node.newKey(), node.newKey()];
    const now = () => BigInt(Date.now());
    for (const [key, amount] of [
      [owner, 100_000_000n],
      [poor, 10n * FEE],
    ] as const)
      await node.confirm(
        node.signed(node.rich, {
          ...{
            type: TransactionType.Transfer,
            version: 3,
            recipient: { kind: "address", address: node.addressOf(key) },
          },
          ...{ asset: null, amount, feeAsset: null, fee: 100_000n, timestamp: now(), attachment: new Uint8Array() },
        }),
      );
    const script = dApp();
    const setting = { type: TransactionType.SetScript, version: 2, feeAsset: null, script } as const;
    await node.confirm(node.signed(owner, { ...setting, fee: 10_000_000n, timestamp: now() }));
    const { publicKey, signature } = slowSignature(random);
    const args = [publicKey, signature].map((value) => ({ type: "binary", value }) as const);
    const call = (name: string, key: typeof poor, number: number) =>
      node.signed(key, {
        ...{ type: TransactionType.InvokeScript, version: 2, payments: [], feeAsset: null, timestamp: now() },
        ...{ dApp: { kind: "address", address: node.addressOf(owner) }, call: { function: name, args } },
        // A different fee makes each transaction unique.
        fee: FEE + BigInt(number),
      });
    const load = (name: string, key: typeof poor, most?: number) =>
      requestLoad(async (number, signal) => {
        const { status, text } = await node.broadcast(call(name, key, number), { signal });
        return resultName(status, text);
      }, most);
    return {
      hostile: load("refused", poor),
      honest: (outcomes) => load("paid", node.rich, totalCount(outcomes)),
    };
  },
};
