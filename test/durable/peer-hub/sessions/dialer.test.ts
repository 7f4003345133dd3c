import { expect, test } from "vitest";
import { testSessions } from "../../../support/builders/test-sessions.ts";
import { FakeTimers } from "../../../support/fakes/fake-timers.ts";
import { ipOf, MemoryNetwork } from "../../../support/fakes/memory-network.ts";
import { RawPeer } from "../../../support/fakes/raw-peer.ts";

const second = 1_000;
const other = "10.0.0.2:6868";

/** Node that accepts connections at an address, and all its connections. */
function nodeAt(network: MemoryNetwork, address: string, nonce = 1_000n): RawPeer[] {
  const strangers: RawPeer[] = [];
  network.listen(address, (connection) => strangers.push(new RawPeer(connection).greet({ nonce })));
  return strangers;
}

test("peers named by the owner are dialed at once, by name or address", async () => {
  const network = new MemoryNetwork();
  network.name("node.example", "10.0.0.3");
  const nodes = [other, "10.0.0.3:6868", "10.0.0.4:7"].map((address, at) => nodeAt(network, address, BigInt(at)));
  const { sessions, timers, peers } = testSessions({
    network,
    settings: { knownPeers: [other, "node.example", "10.0.0.4:7"] },
  });
  sessions.start();
  await timers.pass(0);
  expect([peers.length, nodes.map(({ length }) => length)]).toEqual([3, [1, 1, 1]]);
});

test("a named peer whose connection is lost is dialed again soon, and less often while it does not respond", async () => {
  const network = new MemoryNetwork();
  const strangers = nodeAt(network, other);
  const { sessions, timers, peers } = testSessions({ network, settings: { knownPeers: [other] } });
  sessions.start();
  await timers.pass(60 * second);
  expect(network.dialed).toEqual([other]);
  network.disconnect(other);
  strangers[0]?.connection.close();
  const counts: number[] = [];
  for (const lengthSeconds of [2, 8, 50, 540]) {
    const before = network.dialed.length;
    await timers.pass(lengthSeconds * second);
    counts.push(network.dialed.length - before);
  }
  // After 1, 2, 4, 8, 16, 32 and then each 60 seconds, here without jitter.
  expect(counts).toEqual([1, 2, 2, 9]);
  nodeAt(network, other);
  await timers.pass(60 * second);
  expect(peers).toHaveLength(1);
});

test("a connection that closes at once does not make the delay short again", async () => {
  const network = new MemoryNetwork();
  network.listen(other, (connection) => void new RawPeer(connection).greet().connection.close());
  const { sessions, timers } = testSessions({ network, settings: { knownPeers: [other] } });
  sessions.start();
  await timers.pass(62 * second);
  expect(network.dialed.length).toBeLessThan(9);
});

test("other peers are not dialed for a minute after their connection was lost", async () => {
  const network = new MemoryNetwork();
  const strangers = nodeAt(network, other);
  const { sessions, timers } = testSessions({ network });
  sessions.start();
  await sessions.connect("10.0.0.2", 6868);
  await timers.pass(second);
  strangers[0]?.connection.close();
  await timers.pass(59 * second);
  expect([strangers.length, await sessions.known()]).toEqual([1, [{ address: other, lastSeenMs: 1_700_000_000_000 }]]);
  await timers.pass(6 * second);
  expect(strangers).toHaveLength(2);
});

test("candidates are dialed one by one: each second, and each five once there is a connection", async () => {
  const network = new MemoryNetwork();
  const { sessions, timers } = testSessions({ network });
  network.listen(other, (connection) => {
    const value = Array.from({ length: 50 }, (_, at) => ({ ip: ipOf(`10.1.0.${at}`), port: 1 }));
    new RawPeer(connection).greet().send({ kind: "peers", value });
  });
  sessions.start();
  await sessions.connect("10.0.0.2", 6868);
  await timers.pass(26 * second);
  expect(network.dialed.slice(1)).toEqual([0, 1, 2, 3, 4].map((at) => `10.1.0.${at}:1`));
});

test("no more are dialed than there may be connections", async () => {
  const network = new MemoryNetwork();
  const knownPeers = Array.from({ length: 20 }, (_, at) => `10.1.0.${at}:1`);
  for (const [at, address] of knownPeers.entries()) nodeAt(network, address, BigInt(at));
  const { sessions, timers, peers } = testSessions({ network, settings: { knownPeers, maxOutboundConnections: 5 } });
  sessions.start();
  await timers.pass(200 * second);
  expect([network.dialed.length, peers.length]).toEqual([5, 5]);
});

test("half of the connections are left to peers that the owner names, and are theirs once they come back", async () => {
  const network = new MemoryNetwork();
  const knownPeers = [0, 1, 2].map((at) => `10.2.0.${at}:1`);
  const stranger = (at: number) => `10.1.0.${at}:1`;
  for (let at = 0; at < 20; at++) nodeAt(network, stranger(at), BigInt(at));
  const { sessions, timers, peerAt, peers } = testSessions({
    network,
    settings: { knownPeers, maxOutboundConnections: 4 },
  });
  sessions.start();
  const value = Array.from({ length: 20 }, (_, at) => ({ ip: ipOf(`10.1.0.${at}`), port: 1 }));
  (await peerAt("10.0.0.2")).send({ kind: "peers", value });
  const dialed = () =>
    peers.filter(({ direction }) => direction === "outbound").map(({ remote }) => remote.ip.join("."));
  await timers.pass(300 * second);
  expect(dialed()).toHaveLength(2);
  for (const [at, place] of knownPeers.entries()) nodeAt(network, place, BigInt(200 + at));
  await timers.pass(300 * second);
  expect(dialed().filter((ip) => ip.startsWith("10.2.")).length).toBeGreaterThan(1);
});

test("an address without a handshake is not known", async () => {
  const network = new MemoryNetwork();
  network.listen(other, () => {});
  const { sessions, timers } = testSessions({ network });
  sessions.start();
  await sessions.connect("10.0.0.2", 6868);
  await timers.pass(40 * second);
  expect([network.dialed, await sessions.known()]).toEqual([[other], []]);
});

test("one with which a connection has held for ten seconds is dialed again in spite of all candidates", async () => {
  const network = new MemoryNetwork();
  const strangers = nodeAt(network, other);
  const { sessions, timers, peerAt } = testSessions({ network });
  sessions.start();
  await sessions.connect("10.0.0.2", 6868);
  await timers.pass(10 * second);
  strangers[0]?.connection.close();
  const flooder = await peerAt("10.0.0.7");
  for (let turn = 0; turn < 4; turn++) {
    const value = Array.from({ length: 100 }, (_, at) => ({ ip: ipOf(`10.1.${turn}.${at}`), port: 1 }));
    flooder.send({ kind: "peers", value });
    await timers.pass(120 * second);
  }
  expect(strangers.length).toBeGreaterThan(1);
});

test("a dial without a connection in time is given up, and a later connection is closed", async () => {
  const network = new MemoryNetwork();
  let connect = (): void => undefined;
  const strangers: RawPeer[] = [];
  network.listen(other, (connection) => strangers.push(new RawPeer(connection).greet()));
  const slow = network.transport("10.0.0.1");
  const { sessions, timers, peers } = testSessions({
    network: Object.assign(network, {
      transport: () => ({
        ...slow,
        connect: async (address: Parameters<typeof slow.connect>[0]) => {
          await new Promise<void>((resolve) => {
            connect = resolve;
          });
          return slow.connect(address);
        },
      }),
    }),
  });
  await sessions.connect("10.0.0.2", 6868);
  await timers.pass(30 * second);
  expect((await sessions.suspended()).map(({ host }) => host)).toEqual(["10.0.0.2"]);
  connect();
  await timers.pass(0);
  expect([strangers.map(({ isClosed }) => isClosed), peers]).toEqual([[true], []]);
});

test("a named peer that is connected already is dialed less and less often, since it refuses a second connection", async () => {
  const network = new MemoryNetwork();
  network.listen(other, (connection) => connection.close());
  const { sessions, timers, peerAt, peers } = testSessions({ network, settings: { knownPeers: [other] } });
  // It was dialed from a port of its own, which does not identify it.
  const first = await peerAt("10.0.0.2");
  sessions.start();
  await timers.pass(200 * second);
  expect([network.dialed.length, peers.length]).toEqual([9, 1]);
  nodeAt(network, other);
  first.connection.close();
  await timers.pass(60 * second);
  expect(peers.map(({ direction }) => direction)).toEqual(["outbound"]);
});

test("a peer that has declared its address is not dialed there", async () => {
  const network = new MemoryNetwork();
  nodeAt(network, other);
  const { sessions, timers, peerAt, peers } = testSessions({ network, settings: { knownPeers: [other] } });
  const first = await peerAt("10.0.0.2", { declaredAddress: { ip: ipOf("10.0.0.2"), port: 6868 } });
  sessions.start();
  await timers.pass(200 * second);
  expect(network.dialed).toEqual([]);
  first.connection.close();
  await timers.pass(2 * second);
  expect(peers.map(({ direction }) => direction)).toEqual(["outbound"]);
});

test("a named peer that is blacklisted is dialed again when that is over", async () => {
  const network = new MemoryNetwork();
  const strangers = nodeAt(network, other);
  const { sessions, timers } = testSessions({ network, settings: { knownPeers: [other] } });
  sessions.start();
  await timers.pass(second);
  await sessions.blacklist("10.0.0.2");
  await timers.pass(14 * 60 * second);
  expect([strangers.length, strangers[0]?.isClosed]).toEqual([1, true]);
  await timers.pass(3 * 60 * second);
  expect(strangers).toHaveLength(2);
});

test("nothing is dialed and nothing is open once it was stopped", async () => {
  const network = new MemoryNetwork();
  const strangers = nodeAt(network, other);
  const { sessions, timers, closed, dialedBy } = testSessions({ network, settings: { knownPeers: [other] } });
  sessions.start();
  await timers.pass(0);
  sessions.stop();
  await timers.pass(0);
  const late = dialedBy("10.0.0.3").greet();
  await timers.pass(600 * second);
  expect([strangers.map(({ isClosed }) => isClosed), closed.length, late.isClosed, timers.pending]).toEqual([
    [true],
    1,
    true,
    0,
  ]);
  expect(await sessions.suspended()).toEqual([]);
});

test("an unknown host cannot be dialed or blacklisted", async () => {
  const { sessions } = testSessions();
  expect([await sessions.connect("nowhere.example", 1), await sessions.blacklist("nowhere.example")]).toEqual([
    false,
    false,
  ]);
});

test("known peers are dialed after a restart", async () => {
  const [network, timers] = [new MemoryNetwork(), new FakeTimers()];
  nodeAt(network, other);
  const first = testSessions({ network, timers });
  await first.sessions.connect("10.0.0.2", 6868);
  await timers.pass(second);
  first.sessions.stop();
  const { sessions, peers } = testSessions({ network, timers, storage: first.storage });
  sessions.start();
  await timers.pass(2 * second);
  expect(peers).toHaveLength(1);
});
