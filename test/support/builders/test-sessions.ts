/** Sessions over a clock and a network of the test, and all their notifications. */
import { vi } from "vitest";
import type { Connection } from "../../../durable/peer-hub/connection.ts";
import type { Peer, PeerListener } from "../../../durable/peer-hub/peer.ts";
import { PeerSessions } from "../../../durable/peer-hub/sessions/peer-sessions.ts";
import type { PeerStorage } from "../../../durable/peer-hub/sessions/peer-storage.ts";
import { defaultPeerSettings, type PeerSettings } from "../../../src/network/peer-settings.ts";
import type { Handshake } from "../../../src/protocol/messages/handshake.ts";
import type { PeerMessage } from "../../../src/protocol/messages/message-table.ts";
import { FakeTimers } from "../fakes/fake-timers.ts";
import { connectionPair, ipOf, MemoryNetwork } from "../fakes/memory-network.ts";
import { PeersInMemory } from "../fakes/peers-in-memory.ts";
import { RawPeer } from "../fakes/raw-peer.ts";

export interface TestSessions {
  readonly sessions: PeerSessions;
  readonly timers: FakeTimers;
  readonly network: MemoryNetwork;
  readonly storage: PeerStorage;
  /** Open peers, in their order. */
  readonly peers: Peer[];
  /** Closed peers. */
  readonly closed: Peer[];
  readonly received: PeerMessage[];
  /** Connection from a host, whose other end the test has. */
  dialedBy(ip: string, options?: { readonly reads?: boolean }): RawPeer;
  /** Like `dialedBy`, after both handshakes. */
  peerAt(ip: string, handshake?: Partial<Handshake>): Promise<RawPeer>;
  /** Reason of each blacklisted host. */
  reasons(): Promise<Record<string, string>>;
}

export interface TestSessionsOptions {
  readonly settings?: Partial<PeerSettings>;
  readonly timers?: FakeTimers;
  readonly network?: MemoryNetwork;
  readonly storage?: PeerStorage;
  readonly ip?: string;
  readonly received?: PeerListener["received"];
  readonly expectsSnapshots?: PeerListener["expectsSnapshots"];
  readonly opened?: PeerListener["opened"];
  readonly knowsBlock?: PeerListener["knowsBlock"];
  readonly acceptsHeader?: PeerListener["acceptsHeader"];
}

const PORT = 6868;

export function testSessions(options: TestSessionsOptions = {}): TestSessions {
  const { timers = new FakeTimers(), network = new MemoryNetwork(), storage = new PeersInMemory() } = options;
  const ip = options.ip ?? "10.0.0.1";
  // Tests assert the log where it matters.
  for (const what of ["info", "error"] as const) vi.spyOn(console, what).mockImplementation(() => undefined);
  const peers: Peer[] = [];
  const closed: Peer[] = [];
  const received: PeerMessage[] = [];
  const settings = { ...defaultPeerSettings, nonce: 7n, port: PORT, ...options.settings };
  const sessions = new PeerSessions(
    {
      settings,
      chainId: 82,
      applicationName: "wavesR",
      version: { major: 1, minor: 5, patch: 7 },
      transport: network.transport(ip),
      timers,
      random: (sizeBytes) => new Uint8Array(sizeBytes).fill(0x80),
      storage,
    },
    {
      opened: (peer) => {
        peers.push(peer);
        options.opened?.(peer);
      },
      received: (peer, message) => {
        received.push(message);
        return options.received?.(peer, message);
      },
      knowsBlock: options.knowsBlock ?? (() => false),
      acceptsHeader: options.acceptsHeader ?? (async () => true),
      expectsSnapshots: (peer) => options.expectsSnapshots?.(peer) ?? false,
      closed: (peer) => {
        peers.splice(peers.indexOf(peer), 1);
        closed.push(peer);
      },
    },
  );
  network.listen(`${ip}:${PORT}`, (connection) => sessions.accept(connection));
  let nextPort = 50_000;
  const dialedBy: TestSessions["dialedBy"] = (from, strangers = {}) => {
    const theirs = { ip: ipOf(from), port: nextPort++ };
    const [end, other]: [Connection, Connection] = connectionPair(theirs, { ip: ipOf(ip), port: PORT });
    sessions.accept(other);
    return new RawPeer(end, strangers);
  };
  return {
    sessions,
    timers,
    network,
    storage,
    peers,
    closed,
    received,
    dialedBy,
    peerAt: async (from, handshake = {}) => {
      const stranger = dialedBy(from).greet(handshake);
      await timers.pass(0);
      return stranger;
    },
    reasons: async () =>
      Object.fromEntries((await sessions.blacklisted()).map(({ host, reason }) => [host, reason] as const)),
  };
}
