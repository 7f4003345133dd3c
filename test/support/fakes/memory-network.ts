/** Connections within this process: one end reads what the other one writes. */
import type { Connection, Transport } from "../../../durable/peer-hub/connection.ts";
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import { findIp, peerAddressText } from "../../../src/protocol/messages/peer-address-text.ts";

/** Bytes in flight in one direction before the writer has to wait. */
const MAX_BYTES_IN_FLIGHT = 64 * 1024;

/** One direction of a connection. */
class Pipe {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isClosed = false;
  readonly #readers: (() => void)[] = [];
  readonly #writers: (() => void)[] = [];

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed) throw new Error("closed");
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
    this.#readers.shift()?.();
    while (this.#bytes > MAX_BYTES_IN_FLIGHT && !this.#isClosed)
      await new Promise<void>((resolve) => this.#writers.push(resolve));
    if (this.#isClosed) throw new Error("closed");
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#bytes -= chunk.length;
        for (const resolve of this.#writers.splice(0)) resolve();
        yield chunk;
      } else if (this.#isClosed) return;
      else await new Promise<void>((resolve) => this.#readers.push(resolve));
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const resolve of [...this.#readers.splice(0), ...this.#writers.splice(0)]) resolve();
  }
}

/** Both ends of a connection: the first one's remote end is the second address. */
export function connectionPair(first: PeerAddress, second: PeerAddress): [Connection, Connection] {
  const [there, back] = [new Pipe(), new Pipe()];
  const close = (): void => {
    there.close();
    back.close();
  };
  return [
    { remote: second, incoming: back.read(), write: (bytes) => there.write(bytes), close },
    { remote: first, incoming: there.read(), write: (bytes) => back.write(bytes), close },
  ];
}

/** Listeners by address. */
export class MemoryNetwork {
  readonly #listeners = new Map<string, (connection: Connection) => void>();
  readonly #names = new Map<string, readonly string[]>();
  #nextPort = 40_000;
  /** All dialed addresses, in order. */
  readonly dialed: string[] = [];

  listen(address: string, accept: (connection: Connection) => void): void {
    this.#listeners.set(address, accept);
  }

  disconnect(address: string): void {
    this.#listeners.delete(address);
  }

  name(host: string, ...addresses: string[]): void {
    this.#names.set(host, addresses);
  }

  /** @param ip of the dialing host */
  transport(ip: string): Transport {
    return {
      resolve: async (host) => {
        const addresses = this.#names.get(host);
        if (addresses === undefined) throw new Error(`no host ${host}`);
        return addresses.map(ipOf);
      },
      connect: async (address) => {
        this.dialed.push(peerAddressText(address));
        const accept = this.#listeners.get(peerAddressText(address));
        if (accept === undefined) throw new Error(`no listener at ${peerAddressText(address)}`);
        const [ours, theirs] = connectionPair({ ip: ipOf(ip), port: this.#nextPort++ }, address);
        accept(theirs);
        return ours;
      },
    };
  }
}

export function ipOf(text: string): Uint8Array {
  const ip = findIp(text);
  if (ip === undefined) throw new Error(`${text} is no address`);
  return ip;
}
