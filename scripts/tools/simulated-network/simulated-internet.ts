/**
 * Hosts, and what lies between them: every connection takes its time, brings its bytes in order or is cut, and whole parts
 * of the network may be out of reach for each other. Nothing but what the seed draws decides when something arrives.
 */
import type { Connection, Transport } from "../../../durable/peers/connection.ts";
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import type { SeededRandom } from "../chain-maker/seeded-random.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import { type Path, Wire } from "./wire.ts";

/** Between two hosts, in both directions. */
interface Line {
  readonly latencyMs: number;
  /** By how much more it takes at most, by luck. */
  readonly jitterMs: number;
  readonly bytesPerMs: number;
  /** What it takes longer at the moment, ms. */
  slowerMs: number;
}

interface Pair {
  readonly hosts: readonly [SimulatedHost, SimulatedHost];
  readonly wires: readonly [Wire, Wire];
}

/** Whoever dials somebody that does not even refuse gives up after this time. */
const SILENCE_MS = 75_000;
const FIRST_OWN_PORT = 49_152;
/** How often the bytes that arrive together are read in two pieces. */
const SPLIT_CHANCE = 0.05;

export class SimulatedInternet {
  readonly clock: SimulatedClock;
  readonly #random: SeededRandom;
  readonly #hosts = new Map<string, SimulatedHost>();
  readonly #lines = new Map<string, Line>();
  readonly #pairs = new Set<Pair>();
  #isApart: (one: SimulatedHost, other: SimulatedHost) => boolean = () => false;
  #connections = 0;
  /** Of any direction of any connection: the most bytes that were written and not read. */
  mostBufferedBytes = 0;

  constructor(clock: SimulatedClock, random: SeededRandom) {
    this.clock = clock;
    this.#random = random;
  }

  /** A host with an address of its own, where nobody listens yet. */
  addHost(ip: Uint8Array, port: number): SimulatedHost {
    const host = new SimulatedHost({ ip, port }, (from, address) => this.#connect(from, address));
    this.#hosts.set(host.name, host);
    return host;
  }

  /** Parts that do not hear each other from now on; connections between them are silent until then, or for ever. */
  divide(isApart: (one: SimulatedHost, other: SimulatedHost) => boolean): void {
    this.#isApart = isApart;
  }

  /** Everybody hears everybody again. */
  heal(): void {
    this.#isApart = () => false;
    for (const { wires } of this.#pairs) for (const wire of wires) wire.resume();
  }

  /** By how much longer everything between two hosts takes from now on. */
  slow(one: SimulatedHost, other: SimulatedHost, byMs: number): void {
    this.#lineBetween(one, other).slowerMs = byMs;
  }

  /** Connections at this moment, the oldest first. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Cuts the connections that are meant: both ends see them closed at once. @returns how many */
  cut(isMeant: (hosts: readonly [SimulatedHost, SimulatedHost], index: number) => boolean): number {
    const meant = [...this.#pairs].filter(({ hosts }, index) => isMeant(hosts, index));
    for (const { wires } of meant) for (const wire of wires) wire.cut();
    return meant.length;
  }

  #connect(from: SimulatedHost, { ip, port }: PeerAddress): Promise<Connection> {
    const to = this.#hosts.get(nameOf(ip));
    const { life } = from;
    return new Promise((resolve, reject) => {
      const later = (delayMs: number, run: () => void) =>
        this.clock.after(delayMs, () => {
          // Whoever has dialed is no more.
          if (from.life === life) run();
        });
      if (to === undefined) {
        later(SILENCE_MS, () => reject(new Error(`nobody answers at ${nameOf(ip)}`)));
        return;
      }
      const line = this.#lineBetween(from, to);
      later(this.#latencyMs(line), () => {
        if (this.#isApart(from, to)) {
          later(SILENCE_MS, () => reject(new Error(`nobody answers at ${to.name}`)));
        } else if (to.accept === undefined || to.address.port !== port) {
          later(this.#latencyMs(line), () => reject(new Error(`${to.name} refuses`)));
        } else {
          const [own, theirs] = this.#join(from, to, line);
          to.accept(theirs);
          this.clock.after(this.#latencyMs(line), () => (from.life === life ? resolve(own) : own.close()));
        }
      });
    });
  }

  #join(from: SimulatedHost, to: SimulatedHost, line: Line): [own: Connection, theirs: Connection] {
    const path: Path = {
      latencyMs: () => this.#latencyMs(line),
      bytesPerMs: line.bytesPerMs,
      isBlocked: () => this.#isApart(from, to),
      pieces: (sizeBytes) => this.#pieces(sizeBytes),
    };
    const { clock } = this;
    // Who hears that the other one has closed closes as well.
    let open = 2;
    const ended = (other: Wire): void => {
      other.end();
      open -= 1;
      if (open === 0) this.#forget(pair);
    };
    const there: Wire = new Wire({ clock, path, ended: () => ended(back) });
    const back: Wire = new Wire({ clock, path, ended: () => ended(there) });
    const pair: Pair = { hosts: [from, to], wires: [there, back] };
    this.#pairs.add(pair);
    this.#connections += 1;
    const end = (remote: PeerAddress, out: Wire, incoming: Wire): Connection => ({
      remote,
      incoming: incoming.read(),
      write: (bytes) => out.write(bytes),
      close: () => {
        out.end();
        incoming.cut();
      },
    });
    const ownPort = FIRST_OWN_PORT + (this.#connections % (65_536 - FIRST_OWN_PORT));
    return [end(to.address, there, back), end({ ip: from.address.ip, port: ownPort }, back, there)];
  }

  #forget(pair: Pair): void {
    for (const { mostBufferedBytes } of pair.wires)
      this.mostBufferedBytes = Math.max(this.mostBufferedBytes, mostBufferedBytes);
    this.#pairs.delete(pair);
  }

  #lineBetween(one: SimulatedHost, other: SimulatedHost): Line {
    const name = [one.name, other.name].sort().join();
    const known = this.#lines.get(name);
    if (known !== undefined) return known;
    const random = this.#random;
    const latencyMs = random.between(1, random.pick([10, 50, 200]));
    const bytesPerMs = random.pick([100, 1_000, 10_000]);
    const line: Line = { latencyMs, jitterMs: random.below(latencyMs + 1), bytesPerMs, slowerMs: 0 };
    this.#lines.set(name, line);
    return line;
  }

  #latencyMs({ latencyMs, jitterMs, slowerMs }: Line): number {
    return latencyMs + slowerMs + this.#random.below(jitterMs + 1);
  }

  #pieces(sizeBytes: number): readonly number[] {
    if (sizeBytes < 2 || !this.#random.chance(SPLIT_CHANCE)) return [sizeBytes];
    const first = this.#random.between(1, sizeBytes - 1);
    return [first, sizeBytes - first];
  }
}

export class SimulatedHost implements Transport {
  readonly address: PeerAddress;
  readonly name: string;
  /** Takes connections of others; undefined: they are refused. */
  accept: ((connection: Connection) => void) | undefined;
  /** Which of its processes runs: what an earlier one has dialed is of no use to a later one. */
  life = 0;
  readonly #connect: (from: SimulatedHost, address: PeerAddress) => Promise<Connection>;

  constructor(address: PeerAddress, connect: (from: SimulatedHost, address: PeerAddress) => Promise<Connection>) {
    this.address = address;
    this.name = nameOf(address.ip);
    this.#connect = connect;
  }

  connect(address: PeerAddress): Promise<Connection> {
    return this.#connect(this, address);
  }

  /** There are no names here but addresses. */
  async resolve(host: string): Promise<readonly Uint8Array[]> {
    const ip = host.split(".").map(Number);
    if (ip.length !== 4 || ip.some(Number.isNaN)) throw new Error(`there is no host ${host}`);
    return [Uint8Array.from(ip)];
  }
}

function nameOf(ip: Uint8Array): string {
  return ip.join(".");
}
