import { expect, test } from "vitest";
import { RemoteNode, RemoteNodeError } from "../../../../durable/chain-state/fork/remote-node.ts";

const url = "http://127.0.0.1:1";

/** Node that gives these responses one after the other. */
function nodeWith(responses: readonly (() => Response)[]) {
  const requests: string[] = [];
  const pauses: number[] = [];
  const node = new RemoteNode({
    url,
    fetch: async (path) => {
      requests.push(path);
      const respond = responses[Math.min(requests.length, responses.length) - 1];
      if (respond === undefined) throw new Error("no answer");
      return respond();
    },
    pause: async (ms) => void pauses.push(ms),
  });
  return { node, requests, pauses };
}

const refused = () => {
  throw new Error("connection refused");
};

test("an error of the catalogue is a response, with any content", async () => {
  const { node } = nodeWith([() => new Response('{"error":304,"message":"no data"}', { status: 404 })]);
  expect(await node.request({ path: "/a" })).toEqual({ status: 404, text: '{"error":304,"message":"no data"}' });
});

test("a 404 of a proxy in front of the node is no response", async () => {
  const { node, requests } = nodeWith([() => new Response("<html>not found</html>", { status: 404 })]);
  await expect(node.request({ path: "/a" })).rejects.toThrow(`the response of ${url} to /a has status 404`);
  expect(requests).toHaveLength(1);
});

test("a node that does not respond is requested four times, after longer and longer pauses", async () => {
  const { node, requests, pauses } = nodeWith([refused]);
  await expect(node.request({ path: "/a" })).rejects.toThrow(RemoteNodeError);
  expect(requests).toHaveLength(4);
  expect(pauses).toEqual([200, 1_000, 3_000]);
});

test("an overloaded node is requested again", async () => {
  const { node } = nodeWith([() => new Response("slow down", { status: 429 }), () => new Response("{}")]);
  expect(await node.request({ path: "/a" })).toEqual({ status: 200, text: "{}" });
});

test("a redirect is not followed", async () => {
  const { node, requests } = nodeWith([
    () => new Response(null, { status: 302, headers: { Location: "http://169.254.0.1/" } }),
  ]);
  await expect(node.request({ path: "/a" })).rejects.toThrow("has status 302");
  expect(requests).toEqual([`${url}/a`]);
});

test("an endless response is aborted", async () => {
  let chunks = 0;
  const endless = new ReadableStream({
    pull: (controller) => {
      chunks += 1;
      controller.enqueue(new Uint8Array(2 ** 20));
    },
  });
  const { node } = nodeWith([() => new Response(endless)]);
  await expect(node.request({ path: "/a" })).rejects.toThrow(/has more than \d+ bytes/);
  expect(chunks).toBeLessThan(25);
});

test("at most four requests are in flight", async () => {
  let underWay = 0;
  let most = 0;
  const node = new RemoteNode({
    url,
    fetch: async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await Promise.resolve();
      underWay -= 1;
      return new Response("{}");
    },
    pause: async () => {},
  });
  await Promise.all(Array.from({ length: 20 }, (_, index) => node.request({ path: `/${index}` })));
  expect(most).toBe(4);
});
