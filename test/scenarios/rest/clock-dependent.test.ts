/**
 * Responses of the reference that depend on its clock, on random numbers or on its peers. At the time of the recording
 * they are equal, except random or measured members; a list names those not built yet.
 */
import { base58 } from "@scure/base";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { TestNode } from "../../support/builders/test-node.ts";
import { validatingNode } from "../../support/builders/validating-node.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";
import { type Exchange, type NodeResponse, replayRequest } from "../../support/fixtures/rest/exchange.ts";
import { findResponseDifference } from "../../support/fixtures/rest/response-difference.ts";

interface Row {
  readonly name: string;
  readonly path: string;
  readonly recordedMs?: number;
  /** Random or measured members. */
  readonly measured?: readonly string[];
}

const firstRecordedMs = 1_795_223_923_917;

const implemented: readonly Row[] = [
  // The reference queries a time server besides its own clock.
  { name: "clock#1", path: "/utils/time", measured: ["NTP"] },
  { name: "clock#2", path: "/utils/seed", measured: ["seed"] },
  { name: "clock#3", path: "/utils/seed/16", measured: ["seed"] },
  { name: "clock#4", path: "/utils/seed/1024", measured: ["seed"] },
  { name: "clock#5", path: "/utils/seed/1025" },
  { name: "clock#6", path: "/utils/seed/x" },
  { name: "clock#7", path: "/peers/all" },
  { name: "clock#8", path: "/peers/connected" },
  { name: "clock#9", path: "/peers/blacklisted" },
  { name: "clock#10", path: "/peers/suspended" },
  { name: "clock#11", path: "/debug/info" },
  { name: "clock#12", path: "/debug/minerInfo" },
  { name: "clock#13", path: "/eth", recordedMs: 0x1a1fbaf2cdb },
  {
    name: "clock#14",
    path: "/transactions/sign",
    recordedMs: 1_795_223_923_932,
    measured: ["proofs", "signature"],
  },
  { name: "clock#15", path: "/blocks/heightByTimestamp/1795310323932" },
  { name: "clock#16", path: "/debug/validate", recordedMs: 1_795_223_923_936, measured: ["validationTime"] },
  { name: "clock#17", path: "/transactions/broadcast", recordedMs: 1_795_223_923_940 },
];

const exchanges = recordedLines<Exchange>("private-a/clock-dependent.jsonl.gz");
const exchangeOf = ({ name }: Row) => exchanges.find((exchange) => exchange.name === name) as Exchange;

describe("answers of the moment", () => {
  let node: TestNode;
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const activity = async () => ({ height: 105, score: 649_298_677_882_248_132n, minerState: "disabled" });
    // The recorded node made no blocks.
    node = await validatingNode({ owner: { activity, miningAccounts: async () => [] } });
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  const answerTo = (row: Row): Promise<NodeResponse> => {
    vi.setSystemTime(row.recordedMs ?? firstRecordedMs);
    return replayRequest(node, exchangeOf(row));
  };

  test("are all in the list", () => {
    const listed = implemented.map(({ name, path }) => `${name} ${path}`).sort();
    expect(listed).toEqual(exchanges.map(({ name, path }) => `${name} ${path}`).sort());
  });

  test.each(implemented)("$path is answered as recorded", async (row) => {
    expect(findResponseDifference(exchangeOf(row), await answerTo(row), row.measured)).toBeUndefined();
  });

  test.each(implemented.filter(({ measured }) => measured?.includes("seed")))(
    "$path draws as many bytes",
    async (row) => {
      const drawn = seedBytes((await answerTo(row)).text);
      const recorded = seedBytes(exchangeOf(row).response);
      expect(drawn).toHaveLength(recorded.length);
      expect(drawn).not.toEqual(recorded);
    },
  );
});

function seedBytes(answer: string): Uint8Array {
  return base58.decode((JSON.parse(answer) as { readonly seed: string }).seed);
}
