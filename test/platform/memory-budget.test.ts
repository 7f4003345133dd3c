import { expect, test } from "vitest";
import { parsedTransactions } from "../../durable/chain-state/pool/parsed-transactions.ts";
import { platformLimits } from "../../src/platform/limits.ts";
import { chainStateBytes, peerHubBytes, workerBytes } from "../../src/platform/memory-budget.ts";
import { blockRecordSizes } from "../../src/protocol/blocks/block-file.ts";
import { messageTable } from "../../src/protocol/messages/message-table.ts";

test("what PeerHub may hold at once stays within its share of an isolate", () => {
  const sum = Object.values(peerHubBytes).reduce((total, bytes) => total + bytes, 0);
  const share = 48 * 2 ** 20;
  expect(sum).toBeLessThanOrEqual(share);
  expect(share).toBeLessThan(platformLimits.isolateBytes / 2);
});

test("what PeerHub, ChainState and the Worker may keep at once leaves an isolate room to work", () => {
  const shares = [peerHubBytes, chainStateBytes, workerBytes].flatMap((owner) => Object.values<number>(owner));
  expect(shares.reduce((total, bytes) => total + bytes, 0)).toBeLessThanOrEqual(100 * 2 ** 20);
});

test("the pool keeps as many parsed transactions as its share has room for", () => {
  expect(parsedTransactions().maxSize).toBe(chainStateBytes.parsedTransactions);
});

test("the largest blocks fit into each share that they pass through", () => {
  expect(peerHubBytes.heldFrames).toBeGreaterThan(blockRecordSizes.maxBytes);
  const { messagesInHand, framesToSend, extensionBlocks, cachedBlocks, blocksWithoutSnapshots } = peerHubBytes;
  for (const share of [messagesInHand, framesToSend, extensionBlocks, cachedBlocks, blocksWithoutSnapshots])
    expect(share).toBeGreaterThan(messageTable.block.maxBytes);
});
