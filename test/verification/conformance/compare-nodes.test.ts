/** Two servers with given responses, compared as a reference node and this one are. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { compareNodes } from "../../../verification/conformance/compare-nodes.ts";
import { withoutLaterFeatures } from "../../../verification/conformance/known-deviations.ts";
import type { NodeRequest } from "../../../verification/conformance/node-requests.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** @param responses status and text; the last one repeats; undefined closes the connection */
async function serverOf(...responses: readonly (readonly [number, string] | undefined)[]): Promise<string> {
  let requestCount = 0;
  const server = createServer((request, response) => {
    const isCompared = request.url === "/asked";
    const httpResponse = isCompared
      ? responses[Math.min(requestCount++, responses.length - 1)]
      : ([404, "no route"] as const);
    if (httpResponse === undefined) request.destroy();
    else response.writeHead(httpResponse[0]).end(httpResponse[1]);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const testRequest: NodeRequest = { route: "asked", path: "/asked" };
const compared = (reference: string, node: string, more: Partial<NodeRequest> = {}) =>
  compareNodes(reference, node, [[{ ...testRequest, ...more }]], () => {}, [1, 1]);
const busy = [
  503,
  '{"error":5031,"message":"The server was not able to produce a timely response to request"}',
] as const;
const interrupted = [400, '{"error":305,"message":"Script estimation was interrupted"}'] as const;

test("a node that had too little time is asked again, and its answer then is the one that counts", async () => {
  const same = await compared(await serverOf(interrupted, [200, "1"]), await serverOf(busy, busy, [200, "1"]));
  expect(same).toMatchObject({ differences: [], unanswered: 0 });
  const other = await compared(await serverOf(undefined, undefined, [200, "1"]), await serverOf([200, "2"]));
  expect(other.differences).toHaveLength(1);
});

test("a question that gets no timely answer at all is neither equal nor different", async () => {
  const { differences, unanswered, routes } = await compared(await serverOf(busy), await serverOf([200, "1"]));
  expect({ differences, unanswered, asked: routes.size }).toEqual({ differences: [], unanswered: 1, asked: 0 });
});

test("features that release 1.5 does not have count on neither side, and all others do", async () => {
  const status = (...features: readonly object[]) => [200, JSON.stringify({ height: 1, features })] as const;
  const old = status({ id: 1, blockchainStatus: "ACTIVATED" });
  const own = status({ id: 1, blockchainStatus: "ACTIVATED" }, { id: 24 }, { id: 25, nodeStatus: "IMPLEMENTED" });
  const options = { comparedPart: withoutLaterFeatures };
  expect((await compared(await serverOf(old), await serverOf(own), options)).differences).toEqual([]);
  expect((await compared(await serverOf(old), await serverOf(own))).differences).toHaveLength(1);
  const wrong = status({ id: 1, blockchainStatus: "APPROVED" });
  expect((await compared(await serverOf(old), await serverOf(wrong), options)).differences).toHaveLength(1);
});
