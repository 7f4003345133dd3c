import { expect, test } from "vitest";
import { platformLimits } from "../../src/platform/limits.ts";
import { peerHubBytes } from "../../src/platform/memory-budget.ts";
import { blockRecordSizes } from "../../src/protocol/blocks/block-file.ts";
import { messageTable } from "../../src/protocol/messages/message-table.ts";

test("what PeerHub may hold at once stays within its share of an isolate", () => {
  const sum = Object.values(peerHubBytes).reduce((total, bytes) => total + bytes, 0);
  const share = 48 * 2 ** 20;
  expect(sum).toBeLessThanOrEqual(share);
  expect(share).toBeLessThan(platformLimits.isolateBytes / 2);
});

test("the largest blocks fit into each share that they pass through", () => {
  expect(peerHubBytes.heldFrames).toBeGreaterThan(blockRecordSizes.maxBytes);
  const { messagesInHand, framesToSend, extensionBlocks, cachedBlocks, blocksWithoutSnapshots } = peerHubBytes;
  for (const share of [messagesInHand, framesToSend, extensionBlocks, cachedBlocks, blocksWithoutSnapshots])
    expect(share).toBeGreaterThan(messageTable.block.maxBytes);
});
