/** Micro-blocks that no node of this release makes, and honest peers may relay. */
import { describe, expect, test } from "vitest";
import { concatBytes } from "../../../../src/crypto/bytes.ts";
import type { BlockId, MicroBlock } from "../../../../src/protocol/blocks/block.ts";
import { encodeFrame } from "../../../../src/protocol/messages/frame.ts";
import { encodeMicroBlock, microBlockSignedBytes } from "../../../../src/protocol/messages/micro-block.ts";
import { signedTransfer } from "../../../support/builders/signed-transfer.ts";
import { testSessions } from "../../../support/builders/test-sessions.ts";

const one = signedTransfer({ timestamp: 1_800_000_000_000n, version: 2 });
const zeros = (size: number) => new Uint8Array(size);

function microBlock(count: number, version = 5): MicroBlock {
  return {
    version,
    reference: zeros(32) as BlockId,
    totalBlockSignature: zeros(64) as MicroBlock["totalBlockSignature"],
    sender: zeros(32) as MicroBlock["sender"],
    transactions: Array(count).fill(one),
    stateHash: zeros(32) as NonNullable<MicroBlock["stateHash"]>,
    finalizationVoting: undefined,
    signature: zeros(64) as MicroBlock["signature"],
    totalBlockId: zeros(32) as BlockId,
  };
}

/** Older form without the signature of the signed bytes: it follows the sender, before the state hash. */
function olderForm(of: MicroBlock): Uint8Array {
  const bytes = microBlockSignedBytes(of);
  return concatBytes(bytes.subarray(0, -32), of.signature, bytes.subarray(-32));
}

async function sent(code: number, payload: Uint8Array) {
  const node = testSessions();
  const stranger = await node.peerAt("10.0.0.2");
  stranger.write(encodeFrame({ code, payload }));
  await node.timers.pass(0);
  return {
    isClosed: stranger.isClosed,
    reasons: await node.reasons(),
    received: node.received.map(({ kind }) => kind),
  };
}

describe("a peer stays connected", () => {
  test.each([0, 501])("if it sends a micro-block of %i transactions in protobuf, which is read", async (count) => {
    const { isClosed, reasons, received } = await sent(30, encodeMicroBlock(microBlock(count)));
    expect([isClosed, reasons, received]).toEqual([false, {}, ["microBlock"]]);
  });

  test("if it sends in the older form a micro-block on a block of version 5: it cannot be applied", async () => {
    const { isClosed, reasons, received } = await sent(28, olderForm(microBlock(2, 3)));
    expect([isClosed, reasons, received]).toEqual([false, {}, []]);
  });
});

test("and is blacklisted if it sends no micro-block at all in the older form", async () => {
  const { isClosed, received } = await sent(28, zeros(400));
  expect([isClosed, received]).toEqual([true, []]);
});
