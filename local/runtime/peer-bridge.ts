/**
 * The runner's end of the bridge to PeerHub (`src/network/peer-bridge.ts`): hands over inbound connections, and
 * resolves host names.
 */
import { randomBytes } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import net, { type AddressInfo, type Server, type Socket } from "node:net";
import { MAX_BRIDGE_LINE_BYTES, type PeerBridge, parseBridgeLine } from "../../src/network/peer-bridge.ts";

export interface BridgeServer {
  readonly bridge: PeerBridge;
  stop(): void;
}

/** Limit of the time in which a connection's first line arrives. */
const LINE_MS = 5_000;
const TOKEN_BYTES = 32;

/** @param take receives the id of a connection and PeerHub's end of it; returns whether there is such a connection */
export async function startPeerBridge(take: (id: string, hub: Socket) => boolean): Promise<BridgeServer> {
  const token = randomBytes(TOKEN_BYTES).toString("hex");
  const open = new Set<Socket>();
  const server: Server = net.createServer({ noDelay: true }, (hub) => {
    open.add(hub);
    hub.once("close", () => open.delete(hub));
    hub.on("error", () => hub.destroy());
    readLine(hub, async (line) => {
      const request = parseBridgeLine(bridge, line);
      if (request?.kind === "resolve") hub.end(`${await addressesOf(request.id)}\n`);
      else if (request === undefined || !take(request.id, hub)) hub.destroy();
    });
  });
  server.listen({ host: "127.0.0.1", port: 0, exclusive: true });
  await once(server, "listening");
  const bridge: PeerBridge = { port: (server.address() as AddressInfo).port, token };
  return {
    bridge,
    stop: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Reads the first line; bytes after it stay for the next reader. */
function readLine(socket: Socket, use: (line: string) => Promise<void>): void {
  const timer = setTimeout(() => socket.destroy(), LINE_MS);
  socket.once("close", () => clearTimeout(timer));
  let read = Buffer.alloc(0);
  const look = (): void => {
    for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read()) {
      read = Buffer.concat([read, piece]);
    }
    const end = read.indexOf("\n");
    if (end < 0 && read.length <= MAX_BRIDGE_LINE_BYTES) return;
    socket.off("readable", look);
    clearTimeout(timer);
    if (end < 0) {
      socket.destroy();
      return;
    }
    if (read.length > end + 1) socket.unshift(read.subarray(end + 1));
    void use(read.subarray(0, end).toString());
  };
  socket.on("readable", look);
}

/** @returns addresses with commas between them; an empty text for an unknown name */
async function addressesOf(name: string): Promise<string> {
  const found = await lookup(name, { all: true, order: "ipv4first" }).catch(() => []);
  return found.map(({ address }) => address).join(",");
}
