/** Fake dev chain: gives the chosen responses and records its requests. */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

export interface ReceivedRequest {
  readonly request: string;
  readonly key: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

const servers: http.Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

export interface FakeNode {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
}

/** @param respond status and body for a request such as `POST /dev/mine`; strings are sent unchanged */
export async function fakeNode(
  respond: (request: string) => readonly [status: number, body: object | string],
): Promise<FakeNode> {
  const asked: ReceivedRequest[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const name = `${request.method} ${request.url}`;
    const { "x-api-key": key, "content-type": type } = request.headers;
    asked.push({ request: name, key: key as string | undefined, type, body: Buffer.concat(chunks).toString() });
    const [status, body] = respond(name);
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: asked };
}
