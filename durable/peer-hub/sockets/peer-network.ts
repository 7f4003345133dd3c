/** Network access of PeerHub: TCP sockets, WebSockets and name resolution. */

import { connect } from "cloudflare:sockets";
import { resolve4, resolve6 } from "node:dns/promises";
import type { Env } from "../../../src/env.ts";
import { type BridgeRequest, bridgeLine, type PeerBridge, parsePeerBridge } from "../../../src/network/peer-bridge.ts";
import { isPublicAddress } from "../../../src/network/public-address.ts";
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import { findIp, hostText } from "../../../src/protocol/messages/peer-address-text.ts";
import type { Transport } from "../connection.ts";
import { TcpConnection } from "./tcp-connection.ts";
import { WebSocketConnection } from "./web-socket-connection.ts";

/** Maximum size of a resolved name's response. */
const MAX_RESPONSE_BYTES = 4_096;

export class PeerNetwork implements Transport {
  readonly #dial: (address: SocketAddress) => Socket;
  readonly #fetch: typeof fetch;
  /** Undefined: the node is deployed. */
  readonly #bridge: PeerBridge | undefined;

  constructor({ PEER_NETWORK: local, PEER_BRIDGE }: Pick<Env, "PEER_NETWORK" | "PEER_BRIDGE">) {
    this.#dial = local === undefined ? connect : (address) => local.connect(address);
    this.#fetch = local === undefined ? (...request) => fetch(...request) : (...request) => local.fetch(...request);
    this.#bridge = PEER_BRIDGE === undefined ? undefined : parsePeerBridge(PEER_BRIDGE);
  }

  /** @throws Error no connection, or an address that a deployment must not dial */
  async connect(address: PeerAddress): Promise<TcpConnection> {
    if (this.#bridge === undefined && !isPublicAddress(address.ip)) {
      throw new Error(`${hostText(address.ip)} is no public address`);
    }
    return new TcpConnection(await this.#open(hostText(address.ip), address.port), address);
  }

  async resolve(host: string): Promise<readonly Uint8Array[]> {
    const ip = findIp(host);
    if (ip !== undefined) return [ip];
    const texts =
      this.#bridge === undefined ? await resolvePublic(host) : await this.#resolveThroughRunner(this.#bridge, host);
    const addresses = texts.map(findIp).filter((each) => each !== undefined);
    if (addresses.length === 0) throw new Error(`there is no host ${host}`);
    return addresses;
  }

  /** Takes over a connection that another node has opened to the runner. @param id the runner's id of the connection */
  async accept(id: string, remote: PeerAddress): Promise<TcpConnection> {
    if (this.#bridge === undefined) throw new Error("there is no runner that connections come from");
    return new TcpConnection(await this.#openThroughBridge(this.#bridge, { kind: "accept", id }), remote);
  }

  /** @param url of a WebSocket @throws Error no connection */
  async connectWebSocket(url: string): Promise<WebSocketConnection> {
    const { hostname, port, protocol } = new URL(url);
    const [ip] = await this.resolve(hostname);
    if (ip === undefined) throw new Error(`there is no host ${hostname}`);
    const response = await this.#fetch(url.replace(/^ws/, "http"), { headers: { Upgrade: "websocket" } });
    if (response.webSocket === null) throw new Error(`${url} answered with status ${response.status}`);
    return openWebSocket(response.webSocket, { ip, port: Number(port) || (protocol === "wss:" ? 443 : 80) });
  }

  async #open(hostname: string, port: number): Promise<Socket> {
    const socket = this.#dial({ hostname: hostname.includes(":") ? `[${hostname}]` : hostname, port });
    socket.closed.catch(() => {});
    await socket.opened;
    return socket;
  }

  async #openThroughBridge(bridge: PeerBridge, request: BridgeRequest): Promise<Socket> {
    const socket = await this.#open("127.0.0.1", bridge.port);
    const writer = socket.writable.getWriter();
    await writer.write(new TextEncoder().encode(bridgeLine(bridge, request)));
    writer.releaseLock();
    return socket;
  }

  async #resolveThroughRunner(bridge: PeerBridge, host: string): Promise<string[]> {
    const socket = await this.#openThroughBridge(bridge, { kind: "resolve", id: host });
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of socket.readable as ReadableStream<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MAX_RESPONSE_BYTES) break;
    }
    await socket.close();
    return text.trim().split(",");
  }
}

/** @param socket WebSocket that is not accepted yet, so that no message is lost */
export function openWebSocket(socket: WebSocket, remote: PeerAddress): WebSocketConnection {
  socket.binaryType = "arraybuffer";
  const connection = new WebSocketConnection(socket, remote);
  socket.accept();
  return connection;
}

/** Addresses of the name in the public DNS. */
async function resolvePublic(host: string): Promise<string[]> {
  const found = await Promise.allSettled([resolve4(host), resolve6(host)]);
  return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}
