/**
 * Bodies that the reference validated at the tip of private-a, sent to our routes: the whole response equals the
 * recorded one (status, error id, text, transaction, details, trace with intermediate values).
 * @source docs/protocol/rest-api.md 1.5, 2.10, 3.4, 3.9, 3.10, 4
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { TestNode } from "../../support/builders/test-node.ts";
import { validatingNode } from "../../support/builders/validating-node.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";
import { type Exchange, groupOf, replayRequest } from "../../support/fixtures/rest/exchange.ts";
import { findResponseDifference } from "../../support/fixtures/rest/response-difference.ts";

interface ValidationExchange extends Exchange {
  /** Kind of the body. */
  readonly tag: string;
  /** Time of the recording, ms. */
  readonly now: number;
}

const groups = Map.groupBy(recordedLines<ValidationExchange>("private-a/validate.jsonl.gz"), groupOf);

/** Maximum of printed differences. */
const maxPrintedDifferences = 10;
const measured = ["validationTime"];

describe("bodies judged by the reference", () => {
  let node: TestNode;
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    node = await validatingNode();
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  const differencesOf = async (group: string): Promise<{ differences: string[]; count: number }> => {
    const differences: string[] = [];
    const exchanges = groups.get(group) ?? [];
    for (const exchange of exchanges) {
      vi.setSystemTime(exchange.now);
      const found = findResponseDifference(exchange, await replayRequest(node, exchange), measured);
      if (found !== undefined) differences.push(`${exchange.tag} ${exchange.path}: ${found}`);
    }
    return { differences: differences.slice(0, maxPrintedDifferences), count: exchanges.length };
  };

  it("come in three groups", () => {
    expect([...groups.keys()].sort()).toEqual(["debug/validate", "eth", "transactions/broadcast"]);
  });

  it("are broadcast with the same answers and traces", async () => {
    expect(await differencesOf("transactions/broadcast")).toEqual({ differences: [], count: 938 });
  });

  it("are validated with the same answers and traces", async () => {
    expect(await differencesOf("debug/validate")).toEqual({ differences: [], count: 797 });
  });

  it("are sent by Ethereum's wallets with the same answers", async () => {
    expect(await differencesOf("eth")).toEqual({ differences: [], count: 8 });
  });
});
