/** Recorded requests to the reference, replayed: the responses must equal the recorded ones. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText, recordedLines } from "../../support/fixtures/recorded-lines.ts";
import { chainPositions } from "../../support/fixtures/rest/account-pages.ts";
import { deviations } from "../../support/fixtures/rest/deviations.ts";
import { type Exchange, groupOf, requestText } from "../../support/fixtures/rest/exchange.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";
import { compareWithRecording, type VerdictKind } from "../../support/fixtures/rest/verdict.ts";

/** Time of the recording, ms: some minutes after the last block. */
const recordedMs = 1_795_223_923_917;
/** Maximum of printed differences. */
const maxPrintedDifferences = 5;

const exchanges = recordedLines<Exchange>("private-a/requests.jsonl.gz");
const groups = Map.groupBy(exchanges, groupOf);
const positions = chainPositions(exchanges);
const total = new Map<VerdictKind, number>();

let node: TestNode;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: recordedMs });
  node = testNode({ database: await recordedReadModel(), network: fixtureText("private-a/network.json") });
});

afterAll(() => {
  vi.useRealTimers();
  const replayed = total.values().reduce((sum, count) => sum + count, 0);
  const counts = [...total].map(([judgement, count]) => `${judgement}: ${count}`);
  console.info(`replayed ${replayed} of ${exchanges.length} recorded exchanges: ${counts.join(", ")}`);
});

test("the recording is whole, and each departure from it is of one of its groups", () => {
  expect({ exchanges: exchanges.length, groups: groups.size }).toEqual({ exchanges: 9_739, groups: 75 });
  expect(deviations.map(({ group }) => group).filter((group) => !groups.has(group))).toEqual([]);
});

describe("every recorded request is answered as recorded, save the departures that have a row", () => {
  test.each([...groups])("%s", async (group, list) => {
    const rows = deviations.filter((row) => row.group === group);
    const expected = new Map<VerdictKind, number>(rows.map(({ verdict, exchanges: count }) => [verdict, count]));
    const departed = rows.reduce((sum, row) => sum + row.exchanges, 0);
    if (departed < list.length) expected.set("as recorded", list.length - departed);
    const found = new Map<VerdictKind, number>();
    const differences: string[] = [];
    for (const exchange of list) {
      const { kind, difference } = await compareWithRecording(node, exchange, positions);
      for (const counts of [found, total]) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (difference !== undefined && !expected.has(kind)) {
        differences.push(`${requestText(exchange)}: ${difference}`);
      }
    }
    expect(differences.slice(0, maxPrintedDifferences), `${differences.length} differences`).toEqual([]);
    expect(found, "a row of recorded/departures.ts no longer holds: lower or remove it").toEqual(expected);
  });
});
