/** The P2P listener without a runtime: the test plays PeerHub. */
import { once } from "node:events";
import net, { type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type InboundPeer, openPeerListener, type PeerListener } from "../../../local/runtime/peer-listener.ts";
import { bridgeLine, MAX_BRIDGE_LINE_BYTES } from "../../../src/network/peer-bridge.ts";

const listeners: PeerListener[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const listener of listeners.splice(0)) listener.stop();
});

async function openListener(
  maxConnections = 10,
): Promise<{ readonly listener: PeerListener; readonly connections: InboundPeer[] }> {
  const connections: InboundPeer[] = [];
  const notify = async (peer: InboundPeer) => void connections.push(peer);
  const listener = await openPeerListener({
    listen: { host: "127.0.0.1", port: 0 },
    maxConnections,
    onConnection: notify,
  });
  listeners.push(listener);
  return { listener, connections };
}

async function connected(port: number): Promise<Socket> {
  const socket = net.connect(port, "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

const connectTo = ({ address }: PeerListener) => connected(Number(address?.split(":").at(-1)));

/** Sends a request as PeerHub does. */
async function requestConnection({ bridge }: PeerListener, line: string): Promise<Socket> {
  const socket = await connected(bridge.port);
  socket.write(line);
  return socket;
}

/** All text received until the connection ends. */
async function wholeOf(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  if (!socket.closed) await once(socket, "close");
  return text;
}

async function firstOf(connections: readonly InboundPeer[]): Promise<InboundPeer> {
  await expect.poll(() => connections.length).toBeGreaterThan(0);
  return connections[0] as InboundPeer;
}

describe("a connection of another node", () => {
  test("is reported with its address, and is connected to the side that accepts it", async () => {
    const { listener, connections } = await openListener();
    const peer = await connectTo(listener);
    peer.write("from the peer");
    const { id, ip, port } = await firstOf(connections);
    expect({ ip, port }).toEqual({ ip: "127.0.0.1", port: peer.localPort });
    // Bytes after the line in the same packet are for the peer.
    const hub = await requestConnection(listener, `${bridgeLine(listener.bridge, { kind: "accept", id })}from the hub`);
    expect(String((await once(hub, "data"))[0])).toBe("from the peer");
    expect(String((await once(peer, "data"))[0])).toBe("from the hub");
    hub.end("and the last");
    expect(await wholeOf(peer)).toBe("and the last");
  });

  test("is over for both when the other node goes", async () => {
    const { listener, connections } = await openListener();
    const peer = await connectTo(listener);
    const { id } = await firstOf(connections);
    const hub = await requestConnection(listener, bridgeLine(listener.bridge, { kind: "accept", id }));
    peer.end("the last");
    expect(await wholeOf(hub)).toBe("the last");
  });

  test("is closed at once where there are as many as there may be, and not when one of them has gone", async () => {
    const { listener, connections } = await openListener(2);
    const [first] = [await connectTo(listener), await connectTo(listener)];
    const { id } = await firstOf(connections);
    await requestConnection(listener, bridgeLine(listener.bridge, { kind: "accept", id }));
    expect(await wholeOf(await connectTo(listener))).toBe("");
    expect(connections).toHaveLength(2);
    first.destroy();
    await expect.poll(async () => (await connectTo(listener)) && connections.length).toBeGreaterThan(2);
  });

  test("is closed at once where its address makes too many, until it has paused", async () => {
    let nowMs = 0;
    const connections: InboundPeer[] = [];
    const notify = async (peer: InboundPeer) => void connections.push(peer);
    const listener = await openPeerListener({
      listen: { host: "127.0.0.1", port: 0 },
      maxConnections: 10,
      onConnection: notify,
      nowMs: () => nowMs,
    });
    listeners.push(listener);
    const comeAndGo = async () => {
      const peer = await connectTo(listener);
      peer.destroy();
      await once(peer, "close");
    };
    for (let count = 0; count < 200; count++) await comeAndGo();
    expect(await wholeOf(await connectTo(listener))).toBe("");
    expect(connections.length).toBeLessThanOrEqual(50);
    const before = connections.length;
    nowMs += 2_000;
    await expect.poll(async () => (await connectTo(listener)) && connections.length).toBeGreaterThan(before);
  });

  test("is given to one who asks, and only once", async () => {
    const { listener, connections } = await openListener();
    await connectTo(listener);
    const { id } = await firstOf(connections);
    const hub = await requestConnection(listener, bridgeLine(listener.bridge, { kind: "accept", id }));
    expect(await wholeOf(await requestConnection(listener, bridgeLine(listener.bridge, { kind: "accept", id })))).toBe(
      "",
    );
    expect(hub.closed).toBe(false);
  });

  test("is closed when the other node takes nothing of what waits for it, from one look to the next", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { listener, connections } = await openListener();
    const peer = (await connectTo(listener)).pause();
    const { id } = await firstOf(connections);
    const hub = await requestConnection(listener, bridgeLine(listener.bridge, { kind: "accept", id }));
    // More than the system buffers on the way.
    hub.write(Buffer.alloc(64 * 1024 * 1024));
    await expect.poll(() => hub.writableLength).toBeGreaterThan(0);
    expect(hub.closed).toBe(false);
    await expect
      .poll(() => {
        vi.advanceTimersByTime(30_000);
        return hub.closed;
      })
      .toBe(true);
    peer.destroy();
  });

  test("is closed where PeerHub cannot be told of it", async () => {
    const notify = async () => {
      throw new Error("the node is about to start");
    };
    const listener = await openPeerListener({
      listen: { host: "127.0.0.1", port: 0 },
      maxConnections: 10,
      onConnection: notify,
    });
    listeners.push(listener);
    expect(await wholeOf(await connectTo(listener))).toBe("");
  });
});

describe("a client at the private end", () => {
  test("gets nothing without the token, and nothing for a line that never ends", async () => {
    const { listener, connections } = await openListener();
    await connectTo(listener);
    const { id } = await firstOf(connections);
    for (const line of [
      `${"0".repeat(listener.bridge.token.length)} accept ${id}\n`,
      `accept ${id}\n`,
      `${listener.bridge.token} open ${id}\n`,
      `${listener.bridge.token} accept ${id} more\n`,
      `${listener.bridge.token} resolve localhost`.padEnd(MAX_BRIDGE_LINE_BYTES + 1),
      "\n",
    ]) {
      expect(await wholeOf(await requestConnection(listener, line))).toBe("");
    }
  });

  test("gets the addresses of a name, and none of an unknown name", async () => {
    const { listener } = await openListener();
    const addressesOf = async (id: string) =>
      (await wholeOf(await requestConnection(listener, bridgeLine(listener.bridge, { kind: "resolve", id })))).trim();
    expect((await addressesOf("localhost")).split(",")).toContain("127.0.0.1");
    expect(await addressesOf("no-such-host.invalid")).toBe("");
  });
});

test("without a port no peer gets in, and the private end exists all the same", async () => {
  const listener = await openPeerListener({ listen: undefined, maxConnections: 10, onConnection: async () => {} });
  listeners.push(listener);
  expect(listener.address).toBeUndefined();
  expect(
    await wholeOf(await requestConnection(listener, bridgeLine(listener.bridge, { kind: "accept", id: "none" }))),
  ).toBe("");
});
