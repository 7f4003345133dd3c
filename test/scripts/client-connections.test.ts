/** Limits of connections and responses by subscriber, on fake sockets. */
import { EventEmitter } from "node:events";
import type http from "node:http";
import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { ClientConnections, MAX_CONNECTIONS } from "../../scripts/runner/client-connections.ts";
import { HeldBodies } from "../../scripts/runner/held-bodies.ts";

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
  const bodies = new HeldBodies(100_000, (response) => dropped.push(response));
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
