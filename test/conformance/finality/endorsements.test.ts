/** What recorded generators signed with their BLS keys: endorsements as they were sent, votings of blocks, commitments. */
import { describe, expect, test } from "vitest";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import { blsVerify, fastAggregateVerify } from "../../../src/crypto/bls.ts";
import { concatBytes, u32Bytes } from "../../../src/crypto/bytes.ts";
import { decodeHex } from "../../../src/crypto/hex.ts";
import { parseEndorsement } from "../../../src/protocol/messages/endorsement.ts";
import { recordedLines } from "../../recorded-lines.ts";
import { blockOf, readFinalityRecording, recordingNames } from "./recorded-chain.ts";

const endorsementFiles = {
  "finality-a": "finality-a/endorsements.jsonl.gz",
  "finality-window": "finality-window/endorsements.jsonl.gz",
  "finality-late": "finality-late/messages.jsonl.gz",
} as const;

describe.each(recordingNames)("%s", (name) => {
  const recording = readFinalityRecording(name);
  const heightOf = new Map(recording.heights.map(({ blockId, height }) => [blockId, height]));
  const setAt = (height: number) => recording.heights[height - 1]?.generators ?? [];
  const idAt = (height: number) => decodeBase58(recording.heights[height - 1]?.blockId ?? "");
  const keyOf = (height: number, index: number) => decodeBase58(setAt(height)[index]?.blsPublicKey ?? "");
  const message = (finalizedId: Uint8Array, height: number, endorsedId: Uint8Array) =>
    concatBytes(finalizedId, u32Bytes(height), endorsedId);

  test("endorsements", () => {
    const counts: Record<string, number> = {};
    for (const { id = 38, dir = "in", payload } of recordedLines<{ id?: number; dir?: string; payload: string }>(
      endorsementFiles[name],
    )) {
      if (id !== 38) continue;
      const e = parseEndorsement(decodeHex(payload));
      const h = heightOf.get(encodeBase58(e.endorsedBlockId));
      const key = h === undefined ? new Uint8Array() : keyOf(h + 1, e.endorserIndex);
      const ok = blsVerify(key, message(e.finalizedBlockId, e.finalizedHeight, e.endorsedBlockId), e.signature);
      const k = `${dir} ${h === undefined ? "unknown" : "known"} ${ok}`;
      counts[k] = (counts[k] ?? 0) + 1;
      if (!ok) console.log(dir, h, e.endorserIndex, e.finalizedHeight, setAt((h ?? 0) + 1).length);
    }
    expect(counts).toEqual({});
  });

  test("votings", () => {
    let n = 0;
    for (const bytes of recording.blocks) {
      const { header, id } = blockOf(bytes, recording);
      const v = header.finalizationVoting;
      const h = heightOf.get(encodeBase58(id)) ?? 0;
      if (v === undefined) continue;
      n++;
      const keys = v.endorserIndexes.map((i) => keyOf(h, i));
      expect(
        fastAggregateVerify(
          keys,
          message(idAt(v.finalizedHeight), v.finalizedHeight, header.reference),
          v.aggregatedEndorsementSignature ?? new Uint8Array(),
        ),
      ).toBe(true);
      for (const c of v.conflictEndorsements)
        expect(
          blsVerify(
            keyOf(h, c.endorserIndex),
            message(c.finalizedBlockId, c.finalizedHeight, c.endorsedBlockId),
            c.signature,
          ),
        ).toBe(true);
    }
    expect(n).toBe(0);
  });
});
