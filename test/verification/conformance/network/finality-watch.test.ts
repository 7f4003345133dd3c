import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { FinalityWatch } from "../../../../verification/conformance/network/finality-watch.ts";

/** State of a fake node: ids of its blocks from height 1, and its finalized height. */
interface ReportedTip {
  readonly ids: string;
  readonly finalized: number;
}

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Fake node for a watch; each block's id is one letter. */
async function nodeNamed(name: string) {
  let now: ReportedTip = { ids: "a", finalized: 1 };
  const server = createServer(({ url = "" }, response) => {
    const { ids, finalized } = now;
    const [, from] = /seq\/(\d+)\//.exec(url) ?? [];
    const header = { height: Number(from), id: ids[Number(from) - 1], generator: "", timestamp: 0, baseTarget: 1 };
    const httpResponse = url.endsWith("/finalized")
      ? { height: finalized }
      : url.endsWith("/height")
        ? { height: ids.length }
        : [header];
    response.end(JSON.stringify(httpResponse));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return { place: { name, url: `http://127.0.0.1:${port}` }, stands: (status: ReportedTip) => (now = status) };
}

/** Errors that a watch reports for two nodes in these states, one after the other. */
async function violationsOf(settled: string, ...statuses: readonly (readonly [ReportedTip, ReportedTip])[]) {
  const [left, right] = [await nodeNamed("left"), await nodeNamed("right")];
  const watch = new FinalityWatch([left.place, right.place]);
  for (const [one, other] of statuses) {
    left.stands(one);
    right.stands(other);
    await watch.look();
  }
  return watch.findViolations([...settled]);
}

it("nodes that say the same of each height are at one", async () => {
  const same = (ids: string, finalized: number) =>
    [
      { ids, finalized },
      { ids, finalized },
    ] as const;
  expect(await violationsOf("abcd", same("abc", 1), same("abcd", 2))).toEqual({ compared: 2, violations: [] });
});

it("one that knows less on the same blocks is a fault, and so is more", async () => {
  const [less, more] = [
    { ids: "abcd", finalized: 1 },
    { ids: "abcd", finalized: 2 },
  ];
  for (const [one, other] of [
    [less, more],
    [more, less],
  ] as const)
    expect((await violationsOf("abcd", [one, other])).violations).toEqual([
      `at height 4 left has ${one.finalized} final, right has ${other.finalized} final`,
    ]);
});

it("a height from an abandoned branch is no error, and one that the other node cannot know is not compared", async () => {
  const other = { ids: "abcd", finalized: 1 };
  const { compared, violations } = await violationsOf(
    "abcd",
    [{ ids: "abxy", finalized: 2 }, other],
    [{ ids: "abcd", finalized: 2 }, other],
  );
  expect([compared, violations]).toEqual([1, []]);
});

it("what was final and is so no more is a fault", async () => {
  const late = { ids: "abcd", finalized: 2 };
  expect(
    (
      await violationsOf(
        "abcde",
        [late, late],
        [
          { ids: "abcde", finalized: 1 },
          { ids: "abcde", finalized: 1 },
        ],
      )
    ).violations,
  ).toEqual(["left had 2 final, and at height 5 1", "right had 2 final, and at height 5 1"]);
});
