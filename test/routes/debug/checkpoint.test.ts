import { beforeAll, describe, expect, test, vi } from "vitest";
import type { CheckpointRpc } from "../../../src/env.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";

const posted = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "X-API-Key": privateNetworkSecrets.apiKey, "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

const call = vi.fn<CheckpointRpc["call"]>(async () => ({ kind: "done" }));
let node: TestNode;
beforeAll(() => {
  const network = fixtureText("private-a/network.json");
  node = testNode({ database: d1Double().d1, network, checkpoint: { call } });
});

const post = async (body: unknown) => {
  call.mockClear();
  const response = await node.fetch("/debug/checkpoint", posted(body));
  return { answer: `${response.status} ${await response.text()}`, call: call.mock.calls[0]?.[0] };
};

describe("POST /debug/checkpoint", () => {
  test.each([
    { call: "beginExport" },
    { call: "beginExport", past: "none" },
    { call: "exportPart", place: { table: 3 } },
    { call: "exportPart", place: { table: 3, after: '["01"]' } },
    { call: "endExport" },
    { call: "standing" },
    { call: "begin", manifest: "{}", isLast: true },
    { call: "add", number: 7, packed: "AAAA", isLast: false },
    { call: "goOn" },
    { call: "giveUp" },
  ])("hands %o on as it is", async (body) => {
    expect(await post(body)).toEqual({ answer: "200 {}", call: body });
  });

  test("answers what ChainState answers", async () => {
    call.mockResolvedValueOnce({ kind: "done", loading: { digest: "00", parts: 2, missing: [1] }, height: 0 });
    expect((await post({ call: "standing" })).answer).toBe(
      '200 {"loading":{"digest":"00","parts":2,"missing":[1]},"height":0}',
    );
    call.mockResolvedValueOnce({ kind: "refused", reason: "the file is no checkpoint" });
    expect((await post({ call: "goOn" })).answer).toBe('400 {"error":199,"message":"the file is no checkpoint"}');
  });

  test.each([
    [{ call: "exportPart" }, "place"],
    [{ call: "begin", isLast: true }, "manifest"],
    [{ call: "begin", manifest: "" }, "isLast"],
    [{ call: "add", packed: "", isLast: true }, "number"],
    [{ call: "add", number: 1, isLast: true }, "packed"],
    [{ call: "add", number: 1, packed: "" }, "isLast"],
  ])("refuses %o, which lacks %s", async (body, member) => {
    const refused = await post(body);
    expect(refused).toEqual({ answer: `400 {"error":199,"message":"the call takes ${member}"}`, call: undefined });
  });

  test("is shut without the key, and takes no call that there is not", async () => {
    const response = await node.fetch("/debug/checkpoint", { ...posted({ call: "standing" }), headers: {} });
    expect(response.status).toBe(403);
    expect((await post({ call: "finish" })).answer).toMatch(/^400 .*call/);
    expect(call).not.toHaveBeenCalled();
  });
});
