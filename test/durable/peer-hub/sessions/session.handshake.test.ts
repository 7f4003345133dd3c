import { expect, test, vi } from "vitest";
import { encodeHandshake, type Handshake } from "../../../../src/protocol/messages/handshake.ts";
import { testSessions } from "../../../support/builders/test-sessions.ts";
import { FakeTimers } from "../../../support/fakes/fake-timers.ts";
import { ipOf, MemoryNetwork } from "../../../support/fakes/memory-network.ts";
import { RawPeer, rawPeerHandshake } from "../../../support/fakes/raw-peer.ts";

test("the dialed side sends second: nothing is sent before the other side's handshake", async () => {
  const { dialedBy, timers, peers } = testSessions({ settings: { nodeName: "ours" } });
  const stranger = dialedBy("10.0.0.2");
  await timers.pass(1_000);
  expect(stranger.handshake).toBeUndefined();
  stranger.greet();
  await timers.pass(0);
  expect(stranger.handshake).toMatchObject({
    applicationName: "wavesR",
    version: { major: 1, minor: 5, patch: 7 },
    nodeName: "ours",
    nonce: 7n,
    declaredAddress: undefined,
    timeSeconds: 1_700_000_001n,
  });
  expect(peers.map(({ direction, handshake }) => [direction, handshake.nodeName])).toEqual([["inbound", "stranger"]]);
});

test("the dialing side sends first", async () => {
  const network = new MemoryNetwork();
  const strangers: RawPeer[] = [];
  network.listen("10.0.0.2:6868", (connection) => strangers.push(new RawPeer(connection)));
  const { sessions, timers, peers } = testSessions({ network, settings: { knownPeers: ["10.0.0.2:6868"] } });
  sessions.start();
  await timers.pass(0);
  expect(strangers[0]?.handshake?.nonce).toBe(7n);
  expect(peers).toEqual([]);
  strangers[0]?.greet();
  await timers.pass(0);
  expect(peers.map(({ direction }) => direction)).toEqual(["outbound"]);
});

test("a name consists of the random nonce, and the declared address is sent", async () => {
  const { sessions, dialedBy, timers } = testSessions({
    settings: { nonce: undefined, declaredAddress: "1.2.3.4:6863" },
  });
  sessions.start();
  const stranger = dialedBy("10.0.0.2").greet();
  await timers.pass(0);
  expect(stranger.handshake).toMatchObject({
    nonce: 2n ** 31n + 2n ** 23n + 2n ** 15n + 2n ** 7n,
    nodeName: "Node-2155905152",
    declaredAddress: { ip: ipOf("1.2.3.4"), port: 6863 },
  });
});

test.each<[string, Partial<Handshake>, string]>([
  ["of another network", { applicationName: "wavesW" }, "Remote application name wavesW does not match local wavesR"],
  [
    "of a release before 0.13",
    { version: { major: 0, minor: 12, patch: 9 } },
    "Remote application version (0,12,9) is not supported",
  ],
  [
    "of an unknown release",
    { version: { major: 2, minor: 0, patch: 0 } },
    "Remote application version (2,0,0) is not supported",
  ],
  [
    "at a port that there is none of",
    { declaredAddress: { ip: ipOf("10.0.0.2"), port: 65_536 } },
    "Corrupted message frame: io.netty.handler.codec.DecoderException: java.lang.IllegalArgumentException: port out of range:65536",
  ],
])("a peer %s is blacklisted", async (_, handshake, reason) => {
  const { dialedBy, timers, peers, reasons } = testSessions();
  const stranger = dialedBy("10.0.0.2").greet(handshake);
  await timers.pass(0);
  expect([stranger.isClosed, stranger.handshake, peers]).toEqual([true, undefined, []]);
  expect(await reasons()).toEqual({ "10.0.0.2": reason });
});

test.each([
  ["0.13.0", { major: 0, minor: 13, patch: 0 }],
  ["1.0.0", { major: 1, minor: 0, patch: 0 }],
  ["1.6.1", { major: 1, minor: 6, patch: 1 }],
])("a peer of release %s is one", async (_, version) => {
  const { dialedBy, timers, peers } = testSessions();
  dialedBy("10.0.0.2").greet({ version });
  await timers.pass(0);
  expect(peers.map(({ handshake }) => handshake.version)).toEqual([version]);
});

test.each<[string, Uint8Array, string]>([
  ["a name of more than 127 bytes", new Uint8Array([200]), "An invalid application name's size: -56"],
  [
    "a node's name of more than 127 bytes",
    encodeHandshake(rawPeerHandshake).with(19, 128),
    "An invalid node name's size: -128",
  ],
  ["an address of nine bytes", encodeHandshake(rawPeerHandshake).with(39, 9), "An invalid declared address length: 9"],
])("%s is no handshake", async (_, bytes, reason) => {
  const { dialedBy, timers, reasons } = testSessions();
  dialedBy("10.0.0.2").write(bytes);
  await timers.pass(0);
  expect(await reasons()).toEqual({ "10.0.0.2": reason });
});

test("an unfinished handshake is waited for 30 seconds, however often a byte comes", async () => {
  const { dialedBy, timers, reasons } = testSessions();
  const stranger = dialedBy("10.0.0.2");
  for (const byte of encodeHandshake(rawPeerHandshake).subarray(0, 29)) {
    stranger.write(new Uint8Array([byte]));
    await timers.pass(1_000);
  }
  expect(stranger.isClosed).toBe(false);
  await timers.pass(1_000);
  expect(stranger.isClosed).toBe(true);
  expect(await reasons()).toEqual({ "10.0.0.2": "Timeout expired while waiting for handshake" });
});

test("a dialed host that sends nothing is not dialed for a minute, and not blacklisted", async () => {
  const network = new MemoryNetwork();
  network.listen("10.0.0.2:6868", (connection) => new RawPeer(connection));
  const { sessions, timers, reasons } = testSessions({ network });
  expect(await sessions.connect("10.0.0.2", 6868)).toBe(true);
  await timers.pass(29_999);
  expect(await sessions.suspended()).toEqual([]);
  await timers.pass(1);
  expect((await sessions.suspended()).map(({ host }) => host)).toEqual(["10.0.0.2"]);
  expect(await reasons()).toEqual({});
  await timers.pass(60_000);
  expect(await sessions.suspended()).toEqual([]);
});

test("a port scan leaves nothing behind", async () => {
  const { dialedBy, timers, sessions, reasons, peers, closed } = testSessions();
  for (let at = 0; at < 50; at++) dialedBy("10.0.0.2").connection.close();
  await timers.pass(0);
  expect([await reasons(), await sessions.suspended(), peers, closed, timers.pending]).toEqual([{}, [], [], [], 0]);
});

test("a node is one peer, however many connections it has; other nodes of the same host are other peers", async () => {
  const { peerAt, peers, sessions } = testSessions();
  const first = await peerAt("10.0.0.2", { nonce: 1n });
  const second = await peerAt("10.0.0.2", { nonce: 1n });
  await peerAt("10.0.0.2", { nonce: 2n });
  await peerAt("10.0.0.3", { nonce: 1n });
  expect([first.isClosed, second.isClosed, second.handshake]).toEqual([false, true, undefined]);
  expect(peers).toHaveLength(3);
  expect((await sessions.suspended()).map(({ host }) => host)).toEqual(["10.0.0.2"]);
});

test("a node may connect again once its connection has ended", async () => {
  const { peerAt, peers, closed, timers } = testSessions();
  (await peerAt("10.0.0.2")).connection.close();
  await timers.pass(0);
  expect([peers.length, closed.length]).toEqual([0, 1]);
  await peerAt("10.0.0.2");
  expect(peers).toHaveLength(1);
});

test("a node that connects to itself never dials that address again", async () => {
  const { sessions, network, timers, peers } = testSessions({ settings: { knownPeers: ["10.0.0.1:6868"] } });
  sessions.start();
  await timers.pass(600_000);
  expect(network.dialed).toEqual(["10.0.0.1:6868"]);
  expect(peers).toEqual([]);
});

test("two nodes that dial each other at once are left with one connection", async () => {
  const [network, timers] = [new MemoryNetwork(), new FakeTimers()];
  const both = [
    { ip: "10.0.0.1", settings: { nonce: 1n, knownPeers: ["10.0.0.2:6868"] } },
    { ip: "10.0.0.2", settings: { nonce: 2n, knownPeers: ["10.0.0.1:6868"] } },
  ].map((options) => testSessions({ ...options, network, timers }));
  for (const { sessions } of both) sessions.start();
  await timers.pass(0);
  expect(both.map(({ peers }) => peers.map(({ direction }) => direction))).toEqual([["outbound"], ["inbound"]]);
  await timers.pass(600_000);
  expect(both.map(({ closed, peers }) => [closed.length, peers.length])).toEqual([
    [1, 1],
    [0, 1],
  ]);
});

test("a working connection stays when that node is dialed, too, whatever their nonces are", async () => {
  const { sessions, network, peerAt, timers, peers, closed } = testSessions();
  const dialed: RawPeer[] = [];
  network.listen("10.0.0.2:6868", (connection) => void dialed.push(new RawPeer(connection).greet()));
  const first = await peerAt("10.0.0.2");
  await timers.pass(10_000);
  await sessions.connect("10.0.0.2", 6868);
  await timers.pass(0);
  expect([first.isClosed, dialed.map(({ isClosed }) => isClosed)]).toEqual([false, [true]]);
  expect([peers.length, closed.length]).toEqual([1, 0]);
});

test("peers' names end no line of the log, and send no terminal codes", async () => {
  const { dialedBy, timers, reasons } = testSessions();
  dialedBy("10.0.0.2").greet({ applicationName: "\u001b[2Jx\nready \u202ehttp" });
  await timers.pass(0);
  expect(Object.keys(await reasons())).toEqual(["10.0.0.2"]);
  const [line] = vi.mocked(console.info).mock.calls.at(-1) ?? [];
  expect(line).toMatch(
    /^peer 10\.0\.0\.2:\d+ is blacklisted: Remote application name {2}\[2Jx ready {2}http does not match/,
  );
});
