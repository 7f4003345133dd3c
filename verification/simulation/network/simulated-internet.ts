/**
 * Hosts and the network between them: connections have latency, deliver bytes in order or are cut, and whole parts may
 * be partitioned. Only the seed decides when something arrives.
 */
import type { Connection, Transport } from "../../../durable/peer-hub/connection.ts";
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import { type Path, Wire } from "./wire.ts";

/** Line between two hosts, in both directions. */
interface Line {
  readonly latencyMs: number;
  /** Largest random addition to the latency. */
  readonly jitterMs: number;
  readonly bytesPerMs: number;
  /** Current additional latency, ms. */
  slowerMs: number;
}

interface Pair {
  readonly hosts: readonly [SimulatedHost, SimulatedHost];
  readonly wires: readonly [Wire, Wire];
}

/** Timeout of connecting to a host that does not even refuse. */
const SILENCE_MS = 75_000;
const FIRST_OWN_PORT = 49_152;
/** Probability that bytes which arrive together are read in two chunks. */
const SPLIT_PROBABILITY = 0.05;

export class SimulatedInternet {
  readonly clock: SimulatedClock;
  readonly #random: SeededRandom;
  readonly #hosts = new Map<string, SimulatedHost>();
  readonly #lines = new Map<string, Line>();
  readonly #pairs = new Set<Pair>();
  #isApart: (one: SimulatedHost, other: SimulatedHost) => boolean = () => false;
  #connections = 0;
  /** Most bytes written and not yet read, in any direction of any connection. */
  mostBufferedBytes = 0;

  constructor(clock: SimulatedClock, random: SeededRandom) {
    this.clock = clock;
    this.#random = random;
  }

  /** Adds a host with an address of its own; nothing listens on it yet. */
  addHost(ip: Uint8Array, port: number): SimulatedHost {
    const host = new SimulatedHost({ ip, port }, (from, address) => this.#connect(from, address));
    this.#hosts.set(host.name, host);
    return host;
  }

  /** Partitions the network from now on; connections across it are silent until it heals, or for ever. */
  divide(isApart: (one: SimulatedHost, other: SimulatedHost) => boolean): void {
    this.#isApart = isApart;
  }

  /** Ends the partition. */
  heal(): void {
    this.#isApart = () => false;
    for (const { wires } of this.#pairs) for (const wire of wires) wire.resume();
  }

  /** Sets the additional latency between two hosts from now on. */
  slow(one: SimulatedHost, other: SimulatedHost, byMs: number): void {
    this.#lineBetween(one, other).slowerMs = byMs;
  }

  /** Current connections, the oldest first. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** Cuts the selected connections: both ends see them closed at once. @returns their number */
  cut(isSelected: (hosts: readonly [SimulatedHost, SimulatedHost], index: number) => boolean): number {
    const selected = [...this.#pairs].filter(({ hosts }, index) => isSelected(hosts, index));
    for (const { wires } of selected) for (const wire of wires) wire.cut();
    return selected.length;
  }

  #connect(from: SimulatedHost, { ip, port }: PeerAddress): Promise<Connection> {
    const to = this.#hosts.get(nameOf(ip));
    const { processNumber } = from;
    return new Promise((resolve, reject) => {
      const later = (delayMs: number, run: () => void) =>
        this.clock.after(delayMs, () => {
          // The dialing process has ended.
          if (from.processNumber === processNumber) run();
        });
      if (to === undefined) {
        later(SILENCE_MS, () => reject(new Error(`no response from ${nameOf(ip)}`)));
        return;
      }
      const line = this.#lineBetween(from, to);
      later(this.#latencyMs(line), () => {
        if (this.#isApart(from, to)) {
          later(SILENCE_MS, () => reject(new Error(`no response from ${to.name}`)));
        } else if (to.accept === undefined || to.address.port !== port) {
          later(this.#latencyMs(line), () => reject(new Error(`${to.name} refuses`)));
        } else {
          const [own, theirs] = this.#join(from, to, line);
          to.accept(theirs);
          this.clock.after(this.#latencyMs(line), () =>
            from.processNumber === processNumber ? resolve(own) : own.close(),
          );
        }
      });
    });
  }

  #join(from: SimulatedHost, to: SimulatedHost, line: Line): [own: Connection, theirs: Connection] {
    const path: Path = {
      latencyMs: () => this.#latencyMs(line),
      bytesPerMs: line.bytesPerMs,
      isBlocked: () => this.#isApart(from, to),
      chunkSizes: (sizeBytes) => this.#chunkSizes(sizeBytes),
    };
    const { clock } = this;
    // A side closes when it sees that the other one has closed.
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

  #chunkSizes(sizeBytes: number): readonly number[] {
    if (sizeBytes < 2 || !this.#random.boolean(SPLIT_PROBABILITY)) return [sizeBytes];
    const first = this.#random.between(1, sizeBytes - 1);
    return [first, sizeBytes - first];
  }
}

export class SimulatedHost implements Transport {
  readonly address: PeerAddress;
  readonly name: string;
  /** Accepts connections of others; undefined: they are refused. */
  accept: ((connection: Connection) => void) | undefined;
  /** Number of the current process; connections of an earlier one are void. */
  processNumber = 0;
  readonly #connect: (from: SimulatedHost, address: PeerAddress) => Promise<Connection>;

  constructor(address: PeerAddress, connect: (from: SimulatedHost, address: PeerAddress) => Promise<Connection>) {
    this.address = address;
    this.name = nameOf(address.ip);
    this.#connect = connect;
  }

  connect(address: PeerAddress): Promise<Connection> {
    return this.#connect(this, address);
  }

  /** Resolves only addresses: this network has no names. */
  async resolve(host: string): Promise<readonly Uint8Array[]> {
    const ip = host.split(".").map(Number);
    if (ip.length !== 4 || ip.some(Number.isNaN)) throw new Error(`there is no host ${host}`);
    return [Uint8Array.from(ip)];
  }
}

function nameOf(ip: Uint8Array): string {
  return ip.join(".");
}
