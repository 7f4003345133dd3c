import { describe, expect, test } from "vitest";
import { MAX_BUFFERED_CHARACTERS, respond, write } from "../../src/http/respond.ts";
import { json, momentary, notFound, type RouteResponse } from "../../src/http/route-response.ts";

const exact = { form: "exact", ifNoneMatch: null } as const;
const state: RouteResponse = json({ balance: 12_345_678_901_234_567_890n }, { kind: "state", tag: "0.tip:1" });
const final: RouteResponse = {
  kind: "jsonText",
  text: '{"fee":1}',
  freshness: { kind: "final", tag: "block", foundBy: "id" },
};

describe("respond", () => {
  test("prints exact integers in the exact form, strings in the other", async () => {
    const plain = await respond(state, exact, {});
    expect(plain.headers.get("Content-Type")).toBe("application/json");
    expect(await plain.text()).toBe('{"balance":12345678901234567890}');
    const strings = await respond(state, { form: "strings", ifNoneMatch: null }, {});
    expect(strings.headers.get("Content-Type")).toBe("application/json; large-significand-format=string");
    expect(await strings.text()).toBe('{"balance":"12345678901234567890"}');
  });

  test("what was written before is rewritten for clients that want strings", async () => {
    expect(await (await respond(final, exact, {})).text()).toBe('{"fee":1}');
    expect(await (await respond(final, { form: "strings", ifNoneMatch: null }, {})).text()).toBe('{"fee":"1"}');
  });

  test("the state's tag makes a conditional request 304, each form by itself", async () => {
    const tag = (await respond(state, exact, {})).headers.get("ETag");
    expect(tag).toBe('"0.tip:1"');
    for (const ifNoneMatch of [tag, `"other", ${tag}`, `W/${tag}`, "*"]) {
      const response = await respond(state, { form: "exact", ifNoneMatch }, { "X-More": "kept" });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe("");
      expect(response.headers.get("ETag")).toBe(tag);
      expect(response.headers.get("X-More")).toBe("kept");
    }
    expect((await respond(state, { form: "strings", ifNoneMatch: tag }, {})).status).toBe(200);
    expect((await respond(state, { form: "exact", ifNoneMatch: '"0.tip:2"' }, {})).status).toBe(200);
  });

  test("an answer in which the clock had a part has no tag: another time it may be another one", async () => {
    const timed = json(1n, { kind: "state", tag: "0.tip:1", isTimed: true });
    const response = await respond(timed, { form: "exact", ifNoneMatch: '"0.tip:1"' }, {});
    expect(response.status).toBe(200);
    expect(response.headers.get("ETag")).toBeNull();
  });

  test("says how long an answer holds", async () => {
    const cacheControl = async (response: RouteResponse) =>
      (await respond(response, exact, {})).headers.get("Cache-Control");
    expect(await cacheControl(state)).toBe("no-cache");
    expect(await cacheControl(final)).toBe("public, max-age=31536000, immutable");
    expect(await cacheControl(json(1, momentary))).toBe("no-store");
    expect(await cacheControl({ kind: "error", status: 404, value: {} })).toBe("no-store");
  });

  describe("a list", () => {
    const itemText = `"${"x".repeat(997)}"`;
    const countAbove = Math.ceil(MAX_BUFFERED_CHARACTERS / (itemText.length + 1)) + 1;

    /** A list of that many items, with a counter of requested ones; it fails before the item of the given number. */
    function listOf(count: number, failsAt = Number.POSITIVE_INFINITY) {
      const asked = { count: 0 };
      async function* items() {
        for (; asked.count < count; asked.count++) {
          if (asked.count === failsAt) throw new Error("no more of it");
          yield "x".repeat(997);
        }
      }
      const response: RouteResponse = {
        kind: "jsonItems",
        open: "[[",
        items: items(),
        close: "]]",
        freshness: momentary,
      };
      return { reply: response, asked };
    }

    test("that ends soon is a text like any other", async () => {
      const { body } = await write(listOf(countAbove - 2).reply, "exact");
      expect(body).toBe(
        `[[${Array(countAbove - 2)
          .fill(itemText)
          .join(",")}]]`,
      );
    });

    test("that is longer is sent as it is read, and read only as it is sent", async () => {
      const { reply, asked } = listOf(10 * countAbove);
      const reader = ((await respond(reply, exact, {})).body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      expect(new TextDecoder().decode(value)).toBe(
        `[[${Array(countAbove - 1)
          .fill(itemText)
          .join(",")}`,
      );
      await reader.cancel();
      expect(asked.count).toBeLessThan(countAbove + 5);
    });

    test("that is longer is sent whole", async () => {
      const text = await (await respond(listOf(2 * countAbove).reply, exact, {})).text();
      expect(text).toBe(
        `[[${Array(2 * countAbove)
          .fill(itemText)
          .join(",")}]]`,
      );
    });

    test("that fails before anything is sent is an error of the reply, and later one of the stream", async () => {
      await expect(respond(listOf(countAbove, 3).reply, exact, {})).rejects.toThrow("no more of it");
      const begun = await respond(listOf(2 * countAbove, countAbove + 1).reply, exact, {});
      expect(begun.status).toBe(200);
      await expect(begun.text()).rejects.toThrow("no more of it");
    });
  });

  test("members of a long object are sent one by one, as strings where the client wants that", async () => {
    async function* members(count: number) {
      for (let index = 0; index < count; index++) yield [`m"${index}`, 2n ** 62n] as const;
    }
    const reply = (count: number, isSignificant = true): RouteResponse => ({
      kind: "jsonMembers",
      members: members(count),
      isSignificant,
      freshness: momentary,
    });
    expect(await (await respond(reply(2), exact, {})).text()).toBe(
      '{"m\\"0":4611686018427387904,"m\\"1":4611686018427387904}',
    );
    expect(await (await respond(reply(1), { form: "strings", ifNoneMatch: null }, {})).text()).toBe(
      '{"m\\"0":"4611686018427387904"}',
    );
    expect(await (await respond(reply(1, false), { form: "strings", ifNoneMatch: null }, {})).text()).toBe(
      '{"m\\"0":4611686018427387904}',
    );
    expect(await (await respond(reply(0), exact, {})).text()).toBe("{}");
  });

  test("an empty list keeps its brackets", async () => {
    async function* items() {}
    const response: RouteResponse = {
      kind: "jsonItems",
      open: "[[",
      items: items(),
      close: "]]",
      freshness: momentary,
    };
    expect(await (await respond(response, exact, {})).text()).toBe("[[]]");
  });

  test("the text of an unknown route is plain text", async () => {
    const response = await respond(notFound, exact, {});
    expect(response.status).toBe(404);
    expect(response.headers.get("Content-Type")).toBe("text/plain; charset=UTF-8");
    expect(await response.text()).toContain("could not be found");
  });
});
