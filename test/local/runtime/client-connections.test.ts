/** Limits of connections and responses by subscriber, on fake sockets. */
import { EventEmitter, once } from "node:events";
import http from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { BodyBuffer } from "../../../local/runtime/body-buffer.ts";
import { ClientConnections, MAX_CONNECTIONS } from "../../../local/runtime/client-connections.ts";

class SocketAt extends EventEmitter {
  readonly remoteAddress: string;
  destroyed = false;
  readonly bytesWritten = 0;
  readonly writableLength = 1;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

class ResponseAt extends EventEmitter {
  readonly socket: SocketAt;

  constructor(address: string) {
    super();
    this.socket = new SocketAt(address);
  }

  destroy(): void {
    this.socket.destroy();
    this.emit("close");
  }
}

const responseAt = (address: string) => new ResponseAt(address) as unknown as http.ServerResponse;
const isOpen = ({ socket }: http.ServerResponse) => !(socket as unknown as SocketAt).destroyed;

const opened: ClientConnections[] = [];
afterEach(() => {
  for (const clients of opened.splice(0)) clients.close();
});

function clientConnections(): ClientConnections {
  const clients = new ClientConnections();
  opened.push(clients);
  return clients;
}

describe("connections of one subscriber", () => {
  const ipv6 = (high: number, low: number) => `2001:db8:1:${((high << 8) | low).toString(16)}::${low + 1}`;
  const cases: readonly (readonly [string, (index: number) => string])[] = [
    ["an IPv4 address", () => "::ffff:198.51.100.1"],
    ["64 bits of IPv6", (index) => `2001:db8:1:2::${(index + 1).toString(16)}`],
    ["56 bits of IPv6", (index) => ipv6(0, index % 256)],
    ["48 bits of IPv6", (index) => ipv6(index % 256, index >> 8)],
  ];

  test.each(cases)("are fewer than half of all: %s", (_, addressAt) => {
    const clients = clientConnections();
    const sockets = Array.from({ length: MAX_CONNECTIONS }, (__, index) => new SocketAt(addressAt(index)));
    for (const socket of sockets) clients.add(socket as unknown as Socket);
    const open = sockets.filter(({ destroyed }) => !destroyed);
    expect(open.length).toBeGreaterThan(100);
    expect(open.length).toBeLessThan(MAX_CONNECTIONS / 2);
    const other = new SocketAt("2001:db8:2::1");
    clients.add(other as unknown as Socket);
    expect(other.destroyed).toBe(false);
    open[0]?.destroy();
    const next = new SocketAt(addressAt(sockets.indexOf(open[0] as SocketAt)));
    clients.add(next as unknown as Socket);
    expect(next.destroyed).toBe(false);
  });
});

describe("more connections than there may be", () => {
  const hosts = 32;
  const full = (clients: ClientConnections) => {
    const sockets = Array.from({ length: MAX_CONNECTIONS }, (_, at) => new SocketAt(`198.51.100.${at % hosts}`));
    for (const socket of sockets) clients.add(socket as unknown as Socket);
    return sockets;
  };
  const serve = (clients: ClientConnections, socket: SocketAt, complete: boolean) => {
    const request = { socket, complete } as unknown as http.IncomingMessage;
    clients.enqueue(request, new EventEmitter() as unknown as http.ServerResponse, () => {});
  };
  const newcomer = () => new SocketAt("2001:db8:2::1");

  test("close the oldest of the network that has most, for one of a network that has none", () => {
    const clients = clientConnections();
    const sockets = full(clients);
    const others = Array.from({ length: 30 }, newcomer);
    for (const socket of others) clients.add(socket as unknown as Socket);
    expect(others.filter(({ destroyed }) => destroyed)).toEqual([]);
    const closed = sockets.filter(({ destroyed }) => destroyed);
    expect(closed).toEqual(sockets.slice(0, 30));
  });

  test("close one that waits for its client, and none that is served", () => {
    const clients = clientConnections();
    const sockets = full(clients);
    sockets.forEach((socket, at) => {
      serve(clients, socket, at !== 700);
    });
    const [first, second] = [newcomer(), newcomer()];
    for (const socket of [first, second]) clients.add(socket as unknown as Socket);
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([sockets[700]]);
    // The first newcomer has not asked for anything yet.
    expect([first.destroyed, second.destroyed]).toEqual([true, false]);
  });
});

test("requests behind one under way are neither read nor lost, however many come at once", async () => {
  const clients = clientConnections();
  const begun: [string, http.ServerResponse][] = [];
  let found = 0;
  const server = http.createServer((request, response) => {
    found++;
    clients.enqueue(request, response, () => begun.push([request.url ?? "", response]));
  });
  server.on("connection", (socket) => clients.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  let seen = "";
  client.on("data", (bytes: Buffer) => (seen += bytes.toString("latin1")));
  const paths = Array.from({ length: 3_000 }, (_, at) => `/${at}`);
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: node\r\n\r\n`).join(""));
  await expect.poll(() => begun.length).toBe(1);
  await setTimeout(100);
  expect([begun.length, found < 50]).toEqual([1, true]);
  for (const [at, path] of paths.entries()) {
    await expect.poll(() => begun[at]?.[0], { interval: 0 }).toBe(path);
    begun[at]?.[1].end(path);
  }
  await expect.poll(() => seen.endsWith("/2999")).toBe(true);
});

test("of responses that wait for their readers the oldest of the network that has most gives way", () => {
  const clients = clientConnections();
  const other = responseAt("198.51.100.1");
  clients.addSlow(other);
  const flood = Array.from({ length: 100 }, (_, index) => responseAt(`2001:db8:1:${index.toString(16)}::1`));
  for (const response of flood) clients.addSlow(response);
  expect(isOpen(other)).toBe(true);
  expect(flood.map(isOpen).lastIndexOf(false)).toBe(36);
});

test("of bodies the oldest of the network that holds most gives way", () => {
  const dropped: http.ServerResponse[] = [];
  const bodies = new BodyBuffer(100_000, (response) => dropped.push(response));
  const send = (address: string, sizeBytes: number) => {
    const request = new EventEmitter();
    const response = responseAt(address);
    void bodies.read(request as unknown as http.IncomingMessage, response, 1_000_000);
    request.emit("data", Buffer.alloc(sizeBytes));
    return response;
  };
  const other = send("198.51.100.1", 10_000);
  const flood = Array.from({ length: 20 }, (_, index) => send(`2001:db8:1:${index.toString(16)}::1`, 10_000));
  expect(dropped).not.toContain(other);
  expect(dropped).toEqual(flood.slice(0, 11));
});
