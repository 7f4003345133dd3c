/** BLS signatures of recorded generators: endorsements as they were sent, and votings of blocks. */
import { describe, expect, test } from "vitest";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import { aggregateSignatures, type BlsSignature, blsVerify, fastAggregateVerify } from "../../../src/crypto/bls.ts";
import { bytesKey } from "../../../src/crypto/bytes.ts";
import { decodeHex } from "../../../src/crypto/hex.ts";
import type { ConflictEndorsement } from "../../../src/protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../../src/protocol/blocks/finalization-voting.ts";
import { parseEndorsement } from "../../../src/protocol/messages/endorsement.ts";
import {
  blockOf,
  type FinalityRecording,
  type RecordingName,
  readFinalityRecording,
  waitTimeoutMs,
} from "../../support/fixtures/finality/recorded-chain.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";

/** `in`: from the node; `out`: from the client, which sent some by hand. */
interface SentEndorsement {
  readonly dir: string;
  readonly endorsement: ConflictEndorsement;
}

function sentEndorsements(name: RecordingName): readonly SentEndorsement[] {
  const lines =
    name === "finality-late"
      ? recordedLines<{ id: number; payload: string }>("finality-late/messages.jsonl.gz")
          .filter(({ id }) => id === 38)
          .map(({ payload }) => ({ dir: "in", payload }))
      : recordedLines<{ dir: string; payload: string }>(`${name}/endorsements.jsonl.gz`);
  return lines.map(({ dir, payload }) => ({ dir, endorsement: parseEndorsement(decodeHex(payload)) }));
}

class RecordedKeys {
  readonly #heights: FinalityRecording["heights"];
  readonly #heightOf: ReadonlyMap<string, number>;

  constructor({ heights }: FinalityRecording) {
    this.#heights = heights;
    this.#heightOf = new Map(heights.map(({ blockId, height }) => [blockId, height]));
  }

  idAt(height: number) {
    return decodeBase58(this.#heights[height - 1]?.blockId ?? "") as ConflictEndorsement["finalizedBlockId"];
  }

  heightOf(id: Uint8Array): number {
    return this.#heightOf.get(encodeBase58(id)) ?? Number.NaN;
  }

  /** Empty if the set of the height has no member with the index. */
  keyAt(height: number, index: number): Uint8Array {
    return decodeBase58(this.#heights[height - 1]?.generators[index]?.blsPublicKey ?? "");
  }
}

describe.each([
  { name: "finality-a", endorsements: 226, votings: 78, notSigned: [18, 20, 107, 107, 110, 110] },
  { name: "finality-window", endorsements: 56, votings: 30, notSigned: [] },
  { name: "finality-late", endorsements: 47, votings: 14, notSigned: [] },
] as const)("$name", ({ name, endorsements: count, votings, notSigned }) => {
  const recording = readFinalityRecording(name);
  const keys = new RecordedKeys(recording);

  test(
    "every endorsement is signed by the generator of its index, except those that were damaged on purpose",
    () => {
      const sent = sentEndorsements(name);
      expect(sent).toHaveLength(count);
      /** Key from the set of the block after the endorsed one. */
      const keyOf = ({ endorsedBlockId, endorserIndex }: ConflictEndorsement) =>
        keys.keyAt(keys.heightOf(endorsedBlockId) + 1, endorserIndex);
      const isSigned = (endorsement: ConflictEndorsement) =>
        blsVerify(keyOf(endorsement), endorsementSignedBytes(endorsement), endorsement.signature);
      // PERF: the sum of all signers of the same bytes is one signature to check.
      const groups = Map.groupBy(sent, ({ endorsement }) => bytesKey(endorsementSignedBytes(endorsement)));
      const spoilt = [...groups.values()].flatMap((group) => {
        const [{ endorsement: first }] = group as [SentEndorsement];
        const signatures = group.map(({ endorsement }) => endorsement.signature as BlsSignature);
        const groupKeys = group.map(({ endorsement }) => keyOf(endorsement));
        if (fastAggregateVerify(groupKeys, endorsementSignedBytes(first), aggregateSignatures(signatures))) return [];
        return group.filter(({ endorsement }) => !isSigned(endorsement));
      });
      const heights = spoilt.map(({ endorsement }) => keys.heightOf(endorsement.endorsedBlockId));
      expect(heights.toSorted((left, right) => left - right)).toEqual(notSigned);
    },
    waitTimeoutMs,
  );

  test("the aggregated signature of every voting is that of its endorsers, and its conflicts are signed", () => {
    const voted = recording.blocks
      .map((bytes) => blockOf(bytes, recording))
      .flatMap(({ id, header: { finalizationVoting, reference } }) =>
        finalizationVoting === undefined ? [] : [{ height: keys.heightOf(id), reference, voting: finalizationVoting }],
      );
    expect(voted).toHaveLength(votings);
    for (const { height, reference, voting } of voted) {
      const { endorserIndexes, finalizedHeight, aggregatedEndorsementSignature, conflictEndorsements } = voting;
      const finalizedBlockId = keys.idAt(finalizedHeight);
      const message = endorsementSignedBytes({ finalizedBlockId, finalizedHeight, endorsedBlockId: reference });
      const endorserKeys = endorserIndexes.map((index) => keys.keyAt(height, index));
      const isSigned = fastAggregateVerify(endorserKeys, message, aggregatedEndorsementSignature ?? new Uint8Array());
      expect({ height, isSigned }).toEqual({ height, isSigned: true });
      for (const conflict of conflictEndorsements) {
        const key = keys.keyAt(height, conflict.endorserIndex);
        expect(blsVerify(key, endorsementSignedBytes(conflict), conflict.signature)).toBe(true);
      }
    }
  });
});
