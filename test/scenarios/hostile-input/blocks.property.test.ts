/** For any bytes, the decoders return a value or throw a typed error. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { buildMicroBlock, liquidBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import { encodeBlock, parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { validateBlockForm } from "../../../src/protocol/blocks/validate-block-form.ts";
import { RuleError, WireError } from "../../../src/protocol/errors.ts";
import { parseEndorsement } from "../../../src/protocol/messages/endorsement.ts";
import {
  encodeMicroBlock,
  parseLegacyMicroBlock,
  parseMicroBlock,
} from "../../../src/protocol/messages/micro-block.ts";
import { chainId, keyBlock, privateKey, transfersFor } from "../../support/builders/own-blocks.ts";
import { fixtureBytes, recordsOf } from "../../support/fixtures/recorded-blocks.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";

const privateA = "R".charCodeAt(0);
const finalityLate = "Q".charCodeAt(0);

// Larger blocks add no new cases.
const blocks = recordsOf(fixtureBytes("private-a/blocks.bin.gz")).filter(({ length }) => length < 8000);
const finalityBlocks = recordsOf(fixtureBytes("finality-late/blocks.bin.gz"));
const messages = recordedLines<{ id: number; payload: string }>("finality-late/messages.jsonl.gz");
const payloads = (id: number) =>
  messages.filter((message) => message.id === id).map(({ payload }) => new Uint8Array(Buffer.from(payload, "hex")));

const legacyMicroBlocks = [3, 4].map((version) => {
  const extension = { transactions: transfersFor(version), stateHash: undefined, finalizationVoting: undefined };
  const { microBlock } = buildMicroBlock({
    liquid: liquidBlock(keyBlock(version)),
    extension,
    privateKey,
    chainId,
    random: secureRandomBytes,
  });
  return encodeMicroBlock(microBlock);
});

/** A few bytes replaced, inserted or removed, or the end cut off. */
function damaged(originals: readonly Uint8Array[]) {
  const change = fc.record({
    kind: fc.constantFrom("set", "insert", "remove", "cut"),
    at: fc.nat(),
    byte: fc.nat(255),
  });
  return fc
    .tuple(fc.constantFrom(...originals), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([original, changes]) => {
      const bytes = [...original];
      for (const { kind, at, byte } of changes) {
        // Half of the changes hit the first bytes, which hold the header and the lengths.
        if (bytes.length === 0) break;
        const offset = byte % 2 === 0 ? at % bytes.length : at % Math.min(bytes.length, 400);
        if (kind === "set") bytes[offset] = byte;
        else if (kind === "insert") bytes.splice(offset, 0, byte);
        else if (kind === "remove") bytes.splice(offset, 1);
        else bytes.length = offset;
      }
      return Uint8Array.from(bytes);
    });
}

/** Whether the bytes are valid. @throws any error that is not a typed one */
function isRead(decode: () => unknown): boolean {
  try {
    decode();
    return true;
  } catch (error) {
    if (error instanceof WireError || error instanceof RuleError) return false;
    throw error;
  }
}

function countResults(inputs: fc.Arbitrary<Uint8Array>, decode: (bytes: Uint8Array) => unknown) {
  const counts = { read: 0, refused: 0 };
  fc.assert(
    fc.property(inputs, (bytes) => {
      counts[isRead(() => decode(bytes)) ? "read" : "refused"]++;
    }),
    { numRuns: 2000 },
  );
  return counts;
}

describe("damaged bytes throw nothing but WireError and RuleError", () => {
  test.each([
    ["blocks of private-a", damaged(blocks), (bytes: Uint8Array) => validateBlockForm(parseBlock(bytes, privateA))],
    ["blocks of finality-late", damaged(finalityBlocks), (bytes: Uint8Array) => parseBlock(bytes, finalityLate)],
    ["micro-blocks", damaged(payloads(30)), (bytes: Uint8Array) => parseMicroBlock(bytes, finalityLate)],
    ["legacy micro-blocks", damaged(legacyMicroBlocks), (bytes: Uint8Array) => parseLegacyMicroBlock(bytes, chainId)],
    ["endorsements", damaged(payloads(38)), parseEndorsement],
  ] as const)("%s", (_, inputs, decode) => {
    const { read, refused } = countResults(inputs, decode);
    expect(Math.min(read, refused)).toBeGreaterThan(0);
  });

  test("anything", () => {
    const { refused } = countResults(fc.uint8Array({ maxLength: 400 }), (bytes) => parseBlock(bytes, privateA));
    expect(refused).toBeGreaterThan(0);
  });

  test("a damaged legacy block that is read is encoded to the bytes that it was read from", () => {
    const legacy = blocks.filter(([version]) => version !== 0x0a);
    expect(legacy.length).toBeGreaterThan(0);
    let read = 0;
    fc.assert(
      fc.property(damaged(legacy), (bytes) => {
        const encoded = () => Buffer.from(encodeBlock(parseBlock(bytes, privateA), privateA));
        if (!isRead(encoded)) return;
        read++;
        expect(encoded()).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 1000 },
    );
    expect(read).toBeGreaterThan(0);
  });
});
