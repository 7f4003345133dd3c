/**
 * Extremes that the reference accepts, made by a generator outside all nodes: ours accepts them and blacklists no peer.
 */
import { addressText } from "../../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { parseJson } from "../../../../src/protocol/parse-json.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { makeTransfer } from "../../../chain-generator/make-transfer.ts";
import { findDifference } from "../../../json-difference.ts";
import { differencesTo, waitForAgreement, waitUntil } from "../agreement.ts";
import type { NetworkNode } from "../network-node.ts";
import { type Member, NodeGroup } from "../node-group.ts";
import { extendAsOutsider, type OutsiderOptions } from "../outsider.ts";
import { headersOf, heightOf, readText } from "../read-chain.ts";
import { refusalsIn } from "../refusals.ts";
import type { Scenario } from "../scenario.ts";
import { lightNodeAbsence, makeShortNetwork, minerOf } from "../short-network.ts";

const backOffsetMs = 5_000;
/** Time after which no node knows an id: four back offsets and the blocks at their ends. */
const forgottenAfterMs = 6n * BigInt(backOffsetMs);
/** Three micro-blocks follow a block before the next block. */
const blockTimeFactor = 3;
const leastTimestamp = -(2n ** 63n);
/** One more than nodes put into a micro-block. */
const manyTransactions = 501;
const olderVersion = 3;
/** First height whose header has a state hash. */
const firstHeight = lightNodeAbsence + 2;
const confirmations = 3;
const timeoutMs = 180_000;

export const edges: Scenario = {
  name: "edges",
  about: "dates near -2^63, ids that come again, micro-blocks of any size: what the reference takes, ours takes",
  needs: ["reference"],
  play: async ({ programs, folder, seed, random, log }) => {
    const network = makeShortNetwork(seed, Date.now(), { backOffsetMs, blockTimeFactor });
    const members: Member[] = [
      { kind: "reference", isMining: true },
      { kind: "ours", isMining: false },
    ];
    const group = await NodeGroup.started({ programs, network, folder, members });
    try {
      const { nodes } = group;
      const key = minerOf(network, "go");
      const { chainId } = network.settings.blockchain;
      const outsider: OutsiderOptions = {
        ...{ network, nodes, account: key, localAddress: "127.0.0.4" },
        miner: { node: group.node("reference"), account: minerOf(network, "reference") },
      };
      let made = 0n;
      const transferAt = (timestamp: bigint): Transaction =>
        makeTransfer({ key, to: minerOf(network, "ours").publicKey, amount: ++made, timestamp, random }, chainId);
      await waitForAgreement(nodes, firstHeight, timeoutMs);
      const first = await extendAsOutsider(outsider, (now) => ({
        microBlocks: [
          { transactions: [transferAt(leastTimestamp)] },
          { transactions: Array.from({ length: manyTransactions }, () => transferAt(now)) },
          { transactions: [transferAt(now)], version: olderVersion },
        ],
      }));
      const [ageless] = first.transactions as [Transaction];
      log(`  ${first.transactions.length} transactions at height ${first.height}, in three micro-blocks`);
      const empty = await extendAsOutsider(outsider, () => ({ microBlocks: [{ transactions: [] }] }));
      log(`  a micro-block of none at height ${empty.height}`);
      const [placed] = await headersOf(outsider.miner.node.url, first.height, first.height);
      const forgottenFrom = BigInt(placed?.timestampMs ?? 0) + forgottenAfterMs;
      await waitUntil("the id is forgotten", timeoutMs, async () => {
        const { url } = outsider.miner.node;
        const height = await heightOf(url);
        const [parent] = await headersOf(url, height - 1, height - 1);
        return BigInt(parent?.timestampMs ?? 0) > forgottenFrom;
      });
      const again = await extendAsOutsider(outsider, () => ({ microBlocks: [{ transactions: [ageless] }] }));
      log(`  ${encodeBase58(ageless.id)} once more at height ${again.height}`);
      const agreed = await waitForAgreement(nodes, again.height + confirmations, timeoutMs);
      const answers = [
        `/blocks/at/${first.height}`,
        `/blocks/at/${again.height}`,
        `/transactions/info/${encodeBase58(ageless.id)}`,
        `/transactions/address/${addressText(key.address)}/limit/1000`,
        `/addresses/balance/details/${addressText(key.address)}`,
      ];
      return [
        ...(await differencesTo(nodes, agreed)),
        ...(await findResponseDifferences(nodes, answers)),
        ...(await refusalsIn(nodes)),
      ];
    } finally {
      await group.stop();
    }
  },
};

async function findResponseDifferences(nodes: readonly NetworkNode[], paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const [one = null, ...others] = await Promise.all(
      nodes.map(async ({ url }) => parseJson(await readText(url + path))),
    );
    for (const other of others) {
      const difference = findDifference(one, other, new Set());
      if (difference !== undefined) found.push(`${path} is answered in two ways: ${difference}`);
    }
  }
  return found;
}
