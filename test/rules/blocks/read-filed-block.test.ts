import { expect, test } from "vitest";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { readFiledBlock } from "../../../src/rules/blocks/read-filed-block.ts";
import { blockAfter, chainOfThree } from "../../support/builders/next-block.ts";
import { richKey } from "../../support/builders/signed-transfer.ts";

const { chainId, genesis } = privateNetwork.blockchain;

test("a block of a file is the block of the network, also if the file omits chain ids", () => {
  const dataOf = (chain: number) =>
    buildTransaction({
      ...{ type: TransactionType.Data, version: 2, chainId: chain, sender: richKey.publicKey, feeAsset: null },
      ...{ fee: 100_000n, timestamp: genesis.blockTimestampMs, data: [], proofs: [] },
    });
  const block = blockAfter(chainOfThree().chain.view, { transactions: [dataOf(chainId)] });
  const whole = readFiledBlock(encodeBlock(block, chainId), chainId);
  const without = { ...block, transactions: [dataOf(0)] };
  const filed = readFiledBlock(encodeBlock(without, 0), chainId);
  for (const { id, header, transactions } of [whole, filed]) {
    expect(id).toEqual(block.id);
    expect(header).toEqual(block.header);
    expect(transactions.map((item) => item.id)).toEqual([dataOf(chainId).id]);
    expect(transactions[0]?.chainId).toBe(chainId);
  }
});
