/** Requests in flight to the runtime whose clients already got their response. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { BodyBuffer } from "../../../local/runtime/body-buffer.ts";
import { requestHead } from "../../../local/runtime/request-head.ts";
import { RuntimeClient } from "../../../local/runtime/runtime-client.ts";
import { frontOf, runtimeOf } from "../../support/builders/test-front-server.ts";

/** Server that forwards each request, and interferes at the given moment. */
async function forwarder(
  at: "asked" | "answering",
  meanwhile: (response: http.ServerResponse) => void,
): Promise<{ url: string; receivedRequests: string[] }> {
  const receivedRequests: string[] = [];
  let refuseNow = (): void => {};
  const { url } = await runtimeOf((request, response) => {
    receivedRequests.push(request.url ?? "");
    if (at === "answering") refuseNow();
    response.end("late");
  });
  const client = new RuntimeClient(
    async () => ({ endpoint: { host: url.hostname, port: Number(url.port) }, headers: {} }),
    new BodyBuffer(1, () => {}),
    () => {},
  );
  const server = http.createServer((request, response) => {
    refuseNow = () => meanwhile(response);
    void client.forward({
      ...{
        request,
        response,
        path: request.url ?? "",
        head: requestHead(request.rawHeaders),
        headers: ["Host", "node"],
      },
      ...{ maxBodyBytes: 1, isFile: false, onHead: () => undefined, onFailed: () => response.destroy() },
    });
    if (at === "asked") refuseNow();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, receivedRequests };
}

test.each([
  ["asked", []],
  ["answering", ["/a"]],
] as const)("a request that was refused while the runtime was %s gets no second response", async (at, expected) => {
  const { url, receivedRequests } = await forwarder(at, (response) => {
    response.writeHead(503).write("refused");
    setTimeout(() => response.end(), 300);
  });
  const response = await fetch(`${url}/a`);
  expect([response.status, await response.text()]).toEqual([503, "refused"]);
  expect(receivedRequests).toEqual(expected);
});

test("a response that takes longer than a connection may be idle is waited for", async () => {
  const { url } = await runtimeOf((_, response) => void setTimeout(() => response.end("rolled back"), 1_000));
  const { port } = await frontOf(async () => url, { idleMs: 200 });
  expect(await (await fetch(`http://127.0.0.1:${port}/debug/rollback`, { method: "POST" })).text()).toBe("rolled back");
});
