/** PeerHub inside workerd: wake-ups, allowed callers, and connections by WebSocket. */
import { reset, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import type { PeersCallTarget } from "../../../durable/peer-hub/chain-client.ts";
import { PeerHub } from "../../../durable/peer-hub/peer-hub.ts";
import { openWebSocket, PeerNetwork } from "../../../durable/peer-hub/sockets/peer-network.ts";
import type { WebSocketConnection } from "../../../durable/peer-hub/sockets/web-socket-connection.ts";
import { type Env, P2P_PATH, PEER_HUB_NAME } from "../../../src/env.ts";
import { encodeHandshake, type Handshake, HandshakeReader } from "../../../src/protocol/messages/handshake.ts";
import type { ChainTip } from "../../../src/rpc/chain-for-peers.ts";
import { peerSocket } from "../../../src/worker/peer-socket.ts";
import { serve } from "../../../src/worker/serve.ts";

afterEach(async () => {
  await reset();
});

const namespace = env.PEER_HUB as DurableObjectNamespace;
const chainTip: ChainTip = { height: 1, score: 1n, tipId: new Uint8Array(32), tipTimestampMs: 0 };
/** Chain that only reports its tip. */
const chain: PeersCallTarget = { callFromPeers: async (method) => (method === "chainTip" ? chainTip : []) };
const CHAIN_STATE = { getByName: () => chain } as unknown as DurableObjectNamespace;
/** Address reserved for documentation: no node responds there. */
const amongPeers = { PEERS: "203.0.113.1:6868", CHAIN_STATE };

/** Runs with an object that has these bindings in addition to the tests'. */
function inHub<Result>(
  bindings: Partial<Env>,
  run: (hub: PeerHub, state: DurableObjectState) => Promise<Result>,
): Promise<Result> {
  return runInDurableObject(namespace.getByName(PEER_HUB_NAME), (_, state) =>
    run(new PeerHub(state, { ...env, ...bindings } as Env), state),
  );
}

const alarmOf = ({ storage }: DurableObjectState) => storage.getAlarm();
const connect = (headers: Record<string, string> = { "CF-Connecting-IP": "198.51.100.7" }) =>
  new Request(`https://node.example${P2P_PATH}`, { headers: { Upgrade: "websocket", ...headers } });
const post = (path: string, body?: object) =>
  new Request(`https://peers${path}`, { method: "POST", ...(body && { body: JSON.stringify(body) }) });

describe("PeerHub", () => {
  test("starts when it is woken, and then wakes itself again and again", async () => {
    await inHub(amongPeers, async (hub, state) => {
      expect(await alarmOf(state)).toBeNull();
      await hub.wake();
      const first = (await alarmOf(state)) as number;
      expect(first).toBeGreaterThan(Date.now());
      await state.storage.deleteAlarm();
      await hub.alarm();
      expect(await alarmOf(state)).toBeGreaterThanOrEqual(first);
    });
  });

  test("starts when ChainState notifies it, and after an eviction by its alarm", async () => {
    await inHub(amongPeers, async (hub, state) => {
      await hub.onChainEvents({ tip: chainTip });
      expect(await alarmOf(state)).not.toBeNull();
    });
    await inHub(amongPeers, async (evicted) => {
      await evicted.alarm();
      expect(await evicted.call("connected", [])).toEqual([]);
    });
  });

  test("does nothing for a node without peers", async () => {
    await inHub({}, async (hub, state) => {
      await hub.wake();
      await hub.onChainEvents({ tip: chainTip });
      await hub.alarm();
      expect(await alarmOf(state)).toBeNull();
      await expect(hub.call("known", [])).rejects.toThrow("has no P2P network");
      expect((await hub.fetch(connect())).status).toBe(503);
    });
  });

  test("waits until the local runner allows the node to follow, at each of its starts", async () => {
    const first = { ...amongPeers, WAITS_FOR_RUNNER: "first", PEER_BRIDGE: '{"port":9,"token":"t"}' };
    await inHub(first, async (hub, state) => {
      await hub.wake();
      expect(await alarmOf(state)).toBeNull();
      expect((await hub.fetch(post("/operator/peers/start"))).status).toBe(200);
      expect(await alarmOf(state)).not.toBeNull();
      expect(await (await hub.fetch(new Request("https://peers/operator/peers/progress"))).json()).toMatchObject({
        connectedPeers: 0,
      });
    });
    await inHub(first, async (evicted) => expect(await evicted.call("connected", [])).toEqual([]));
    await inHub({ ...first, WAITS_FOR_RUNNER: "second" }, async (hub) => {
      await expect(hub.call("connected", [])).rejects.toThrow("has no P2P network");
    });
  });

  test("responds to the Worker's methods alone", async () => {
    await inHub(amongPeers, async (hub) => {
      expect(await hub.call("known", [])).toEqual([]);
      expect(await hub.call("blacklist", ["198.51.100.7"])).toBe(true);
      expect(await hub.call("blacklisted", [])).toMatchObject([{ host: "198.51.100.7" }]);
      for (const method of ["told", "accept", "stop", "constructor", "toString"]) {
        await expect(hub.call(method as "known", [])).rejects.toThrow(`PeerHub has no method ${method}`);
      }
    });
  });

  test("has no paths except its own", async () => {
    await inHub(amongPeers, async (hub) => {
      expect((await hub.fetch(post("/operator/status"))).status).toBe(404);
      expect((await hub.fetch(post(P2P_PATH))).status).toBe(404);
    });
  });
});

const handshake: Handshake = {
  applicationName: "wavesR",
  version: { major: 1, minor: 5, patch: 7 },
  nodeName: "a stranger",
  nonce: 7n,
  declaredAddress: undefined,
  timeSeconds: 0n,
};

/** Sends a handshake over the socket, and reads that of the other end. */
async function introduce(
  socket: WebSocket,
): Promise<{ readonly connection: WebSocketConnection; readonly handshake: Handshake }> {
  const connection = openWebSocket(socket, { ip: Uint8Array.of(203, 0, 113, 9), port: 443 });
  await connection.write(encodeHandshake(handshake));
  const reader = new HandshakeReader();
  for await (const chunk of connection.incoming) {
    const read = reader.read(chunk);
    if (read !== undefined) return { connection, handshake: read.handshake };
  }
  throw new Error("the connection was closed");
}

describe("a node that connects by WebSocket", () => {
  test("becomes a peer with the address that the edge has seen", async () => {
    await inHub(amongPeers, async (hub) => {
      const response = await hub.fetch(connect());
      expect(response.status).toBe(101);
      const { connection, handshake } = await introduce(response.webSocket as WebSocket);
      // It reports the release with finality; older ones are peers all the same.
      expect(handshake).toMatchObject({ applicationName: "wavesR", version: { major: 1, minor: 6, patch: 0 } });
      await expect
        .poll(() => hub.call("connected", []))
        .toMatchObject([{ address: "198.51.100.7:0", name: "a stranger" }]);
      connection.close();
      await expect.poll(() => hub.call("connected", [])).toEqual([]);
    });
  });

  test("is dialed by a node that knows its URL", async () => {
    await inHub(amongPeers, async (edge) => {
      const requests: string[] = [];
      const PEER_NETWORK = {
        fetch: (url: string, { headers }: { readonly headers: Record<string, string> }) => {
          requests.push(url);
          return edge.fetch(new Request(url, { headers: { ...headers, "CF-Connecting-IP": "198.51.100.7" } }));
        },
      } as unknown as Fetcher;
      const PEERS = "wss://198.51.100.9/p2p";
      await inHub({ PEERS, PEER_NETWORK, CHAIN_STATE }, async (hub) => {
        await hub.wake();
        await expect.poll(() => hub.call("connected", [])).toMatchObject([{ address: "198.51.100.9:443" }]);
        expect(await edge.call("connected", [])).toMatchObject([{ address: "198.51.100.7:0" }]);
        expect(requests).toEqual(["https://198.51.100.9/p2p"]);
      });
    });
  });

  test("is refused without an address, and when the maximum number is connected", async () => {
    const NETWORK = JSON.stringify({
      waves: {
        blockchain: { type: "TESTNET" },
        network: { "max-inbound-connections": 1, "known-peers": [], "bind-address": "0.0.0.0" },
      },
    });
    await inHub({ NETWORK, CHAIN_STATE }, async (hub) => {
      expect((await hub.fetch(connect({}))).status).toBe(503);
      const first = (await hub.fetch(connect())).webSocket as WebSocket;
      first.accept();
      expect((await hub.fetch(connect({ "CF-Connecting-IP": "198.51.100.8" }))).status).toBe(503);
      first.close();
      await expect
        .poll(async () => (await hub.fetch(connect({ "CF-Connecting-IP": "198.51.100.8" }))).status)
        .toBe(101);
    });
  });

  test("is accepted by the Worker if the node has peers, and not otherwise", async () => {
    const requests: Request[] = [];
    const PEER_HUB = {
      getByName: () => ({
        fetch: async (request: Request) => {
          requests.push(request);
          return new Response();
        },
      }),
    } as unknown as DurableObjectNamespace;
    const plain = new Request(`https://node.example${P2P_PATH}`);
    const withPeers = { ...env, ...amongPeers, PEER_HUB } as Env;
    expect(peerSocket(connect(), env as Env)).toBeUndefined();
    expect(peerSocket(plain, withPeers)).toBeUndefined();
    // On one machine any client could claim any address.
    const local = { ...withPeers, PEER_BRIDGE: JSON.stringify({ port: 1, token: "x" }) };
    expect(peerSocket(connect(), local)).toBeUndefined();
    expect(peerSocket(new Request("https://node.example/operator/peers/start", connect()), withPeers)).toBeUndefined();
    await peerSocket(connect({ "CF-Connecting-IP": "198.51.100.7", "X-More": "1" }), withPeers);
    expect(requests.map(({ url, headers }) => [url, Object.fromEntries(headers)])).toEqual([
      [`https://node.example${P2P_PATH}`, { "cf-connecting-ip": "198.51.100.7", upgrade: "websocket" }],
    ]);
    expect((await serve(plain, env as Env, {} as ExecutionContext)).status).toBe(404);
  });
});

test("a deployment connects to no address of its own network", async () => {
  const network = new PeerNetwork({});
  for (const ip of [Uint8Array.of(127, 0, 0, 1), Uint8Array.of(10, 0, 0, 1), Uint8Array.of(169, 254, 169, 254)]) {
    await expect(network.connect({ ip, port: 80 })).rejects.toThrow("no public address");
  }
});
