import { describe, expect, test, vi } from "vitest";
import { bucketsMs } from "../../src/http/request-counters.ts";
import { type RequestLogBindings, requestLogOf } from "../../src/http/request-log.ts";
import { RequestRecorder } from "../../src/http/request-recorder.ts";
import { RequestWork, type Tier } from "../../src/http/request-work.ts";

const blockAt = { method: "GET", path: "/blocks/at/:height" } as const;
const startedMs = 1_000;

function workOf(prepare: (work: RequestWork) => void = () => {}): RequestWork {
  const work = new RequestWork(startedMs);
  work.route = blockAt;
  prepare(work);
  return work;
}

describe("an answer is of the farthest tier that was asked for it:", () => {
  test.each<[Tier, (work: RequestWork) => void]>([
    ["none", () => {}],
    ["memory", (work) => work.readFinal("memory")],
    ["cache", (work) => work.readFinal("cache")],
    ["kv", (work) => work.readFinal("kv")],
    [
      "d1",
      (work) => {
        work.readFinal(undefined);
        work.readD1(3);
      },
    ],
    [
      "d1",
      (work) => {
        // Another request's batch has found nothing.
        work.readInBatch({ rowsRead: 0, batches: 0 });
      },
    ],
    [
      "chainState",
      (work) => {
        work.readD1(3);
        work.chainStateCalls++;
      },
    ],
    [
      "chainState",
      (work) => {
        // Another request makes the call for both.
        work.sharesCall = true;
      },
    ],
    [
      "kept",
      (work) => {
        // The state for which it is valid was read.
        work.readD1(1);
        work.cacheResult = "hit";
      },
    ],
  ])("%s", (tier, prepare) => {
    expect(workOf(prepare).tier).toBe(tier);
  });
});

describe("the counters", () => {
  const recorderAt = (nowMs: number) => new RequestRecorder(undefined, () => nowMs);

  test("add up what requests of a route, a kind of status and a tier have taken", () => {
    const recorder = recorderAt(startedMs + 7);
    const read = workOf((work) => {
      work.readFinal(undefined);
      work.readD1(2);
      work.readD1(3);
    });
    recorder.record(read, 200);
    recorder.record(read, 206);
    recorder.record(read, 404);
    const [found, missed, ...others] = [...recorder.counters.series()];
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...{ route: blockAt, statusClass: 2, tier: "d1", milliseconds: 14 },
      ...{ d1Batches: 4, d1RowsRead: 10, kvReads: 2, chainStateCalls: 0 },
    });
    expect(missed).toMatchObject({ statusClass: 4, d1RowsRead: 5 });
  });

  test.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 2],
    [5_000, bucketsMs.length - 1],
    [5_001, bucketsMs.length],
    [-5, 0],
  ])("put %d ms into bucket %d", (ms, bucket) => {
    const recorder = recorderAt(startedMs + ms);
    recorder.record(workOf(), 200);
    const [series] = [...recorder.counters.series()];
    expect(series?.counts).toEqual(Array.from({ length: bucketsMs.length + 1 }, (_, at) => (at === bucket ? 1 : 0)));
  });

  test("tell kept answers that were found from those that were looked for", () => {
    const recorder = recorderAt(startedMs);
    for (const kept of ["hit", "hit", "miss", undefined] as const)
      recorder.record(
        workOf((work) => {
          work.cacheResult = kept;
        }),
        200,
      );
    expect(recorder.counters.cacheResults).toEqual({ hit: 2, miss: 1 });
  });

  test("have one series for all requests that no row takes", () => {
    const recorder = recorderAt(startedMs);
    for (let count = 0; count < 3; count++) recorder.record(new RequestWork(startedMs), 404);
    const [series, ...others] = [...recorder.counters.series()];
    expect(others).toEqual([]);
    expect(series).toMatchObject({ route: undefined, statusClass: 4 });
  });
});

describe("a request is told of", () => {
  const record = (bindings: RequestLogBindings, work = workOf((read) => read.readD1(3))) =>
    new RequestRecorder(requestLogOf(bindings), () => startedMs + 4).record(work, 200);

  test("as a data point, where the deployment has a data set", () => {
    const writeDataPoint = vi.fn();
    record({ REQUESTS: { writeDataPoint } });
    expect(writeDataPoint.mock.calls).toEqual([
      [
        {
          indexes: ["/blocks/at/:height"],
          blobs: ["GET", "/blocks/at/:height", "d1"],
          doubles: [200, 4, 3, 1, 0, 0, 0],
        },
      ],
    ]);
  });

  test("as a line of JSON, where the deployment wants lines", () => {
    const line = vi.spyOn(console, "log").mockImplementation(() => {});
    record({ REQUEST_LOG: "on" });
    const [[text] = []] = line.mock.calls;
    line.mockRestore();
    expect(JSON.parse(text)).toEqual({
      ...{ method: "GET", route: "/blocks/at/:height", status: 200, tier: "d1" },
      ...{ d1Batches: 1, d1RowsRead: 3, kvReads: 0, kvWrites: 0, chainStateCalls: 0, milliseconds: 4 },
    });
  });

  test("in both places, without a name where no row took it", () => {
    const line = vi.spyOn(console, "log").mockImplementation(() => {});
    const writeDataPoint = vi.fn();
    record({ REQUESTS: { writeDataPoint }, REQUEST_LOG: "on" }, new RequestWork(startedMs));
    expect(line).toHaveBeenCalledTimes(1);
    line.mockRestore();
    expect(writeDataPoint.mock.calls[0]).toMatchObject([{ indexes: [""], blobs: ["", "", "none"] }]);
  });

  test.each([{}, { REQUEST_LOG: "" }, { REQUEST_LOG: "off" }])("nowhere by default: %o", (bindings) => {
    expect(requestLogOf(bindings)).toBeUndefined();
  });

  test.each(["yes", "toString", "ON"])("not where the setting is %s", (setting) => {
    expect(() => requestLogOf({ REQUEST_LOG: setting })).toThrow(
      `Setting REQUEST_LOG is ${setting}, expected on or off`,
    );
  });
});
