import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RequestLoad } from "../../../../verification/bench/parts/request-load.ts";

const receivedPaths: string[] = [];
const server = http.createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  receivedPaths.push(`${request.method} ${request.url} ${body}`);
  response.statusCode = request.url === "/absent" ? 404 : 200;
  // Longer than one chunk of the load's buffer, and chunked.
  response.write("x".repeat(response.statusCode === 200 ? 100_000 : 10));
  response.end("end");
});
const load = new RequestLoad();
let url = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await load.stop();
  server.close();
});

test("requests that are to be sent once are sent once, and failures are counted", async () => {
  const paths = Array.from({ length: 40 }, (_, number) => `/${number}`);
  const requests = [...paths.map((path) => ({ path })), { path: "/absent" }, { path: "/post", body: '{"a":"é"}' }];
  const result = await load.run(url, requests, { connections: 4, durationMs: 60_000, isOnce: true });
  expect(receivedPaths.toSorted()).toEqual(
    [...paths.map((path) => `GET ${path} `), "GET /absent ", 'POST /post {"a":"é"}'].sort(),
  );
  expect(result).toMatchObject({ responses: 42, errors: 1, errorText: expect.stringMatching(/^404: .*end/s) });
  expect(result.p50Ms).toBeLessThanOrEqual(result.p99Ms);
});
