import { expect, test } from "vitest";
import { MAX_PEER_ADDRESSES } from "../../../../src/protocol/messages/peer-address.ts";
import { testSessions } from "../../../support/builders/test-sessions.ts";
import { ipOf } from "../../../support/fakes/memory-network.ts";

const minute = 60_000;

test("a peer list is requested at once, and every two minutes", async () => {
  const { peerAt, timers } = testSessions();
  const stranger = await peerAt("10.0.0.2");
  expect(stranger.kinds).toEqual(["getPeers"]);
  for (const count of [1, 2, 3]) {
    await timers.pass(2 * minute - 1);
    expect(stranger.kinds).toHaveLength(count);
    stranger.send({ kind: "score", value: 1n });
    await timers.pass(1);
  }
});

test("a requested list is taken once, others are ignored", async () => {
  const { peerAt, timers, network, sessions } = testSessions();
  sessions.start();
  const stranger = await peerAt("10.0.0.2");
  const lists = [1, 2].map((host) => ({
    kind: "peers" as const,
    value: [{ ip: ipOf(`10.0.1.${host}`), port: 1 }],
  }));
  stranger.send(...lists);
  await timers.pass(20_000);
  expect(network.dialed).toEqual(["10.0.1.1:1"]);
});

test("a thousand addresses leave as many candidates as there is room for", async () => {
  const { peerAt, timers, network, sessions, peers } = testSessions();
  sessions.start();
  const value = Array.from({ length: MAX_PEER_ADDRESSES }, (_, at) => ({
    ip: ipOf(`10.1.${at >> 8}.${at & 255}`),
    port: 1,
  }));
  const stranger = await peerAt("10.0.0.2");
  stranger.send({ kind: "peers", value });
  await timers.pass(3_600_000);
  expect(network.dialed[0]).toBe("10.1.3.132:1");
  expect(new Set(network.dialed).size).toBe(100);
  expect(peers).toEqual([]);
});

test("a flood of unrequested lists adds nothing, and its sender is suspended", async () => {
  const { peerAt, timers, network, sessions, peers, received } = testSessions();
  sessions.start();
  const value = Array.from({ length: MAX_PEER_ADDRESSES }, (_, at) => ({
    ip: ipOf(`10.1.${at >> 8}.${at & 255}`),
    port: 1,
  }));
  const honest = await peerAt("10.0.0.3");
  const flooder = await peerAt("10.0.0.2");
  flooder.send({ kind: "peers", value: [] });
  flooder.send(...Array.from({ length: 500 }, () => ({ kind: "peers", value }) as const));
  honest.send({ kind: "score", value: 1n });
  await timers.pass(1_000);
  expect([flooder.isClosed, honest.isClosed, peers.length]).toEqual([true, false, 1]);
  expect(received.map(({ kind }) => kind)).toEqual(["score"]);
  expect(await sessions.suspended()).toEqual([expect.objectContaining({ host: "10.0.0.2" })]);
  expect(await sessions.blacklisted()).toEqual([]);
  await timers.pass(60_000);
  expect(network.dialed.filter((address) => address.startsWith("10.1."))).toEqual([]);
});

test("a response lists peers that were met, except blacklisted hosts and IPv6 addresses", async () => {
  const { peerAt, timers, sessions } = testSessions();
  const declaring = async (ip: string, port: number): Promise<void> => {
    await peerAt(ip, { declaredAddress: { ip: ipOf(ip), port } });
  };
  await declaring("10.0.0.2", 1);
  await declaring("10.0.0.3", 2);
  await declaring("10.0.0.4", 3);
  await declaring("2001:db8::1", 4);
  await sessions.blacklist("10.0.0.3");
  const stranger = await peerAt("10.0.0.5");
  stranger.send({ kind: "getPeers", value: undefined });
  await timers.pass(0);
  expect(stranger.messages.slice(1)).toEqual([
    {
      kind: "peers",
      value: [
        { ip: ipOf("10.0.0.4"), port: 3 },
        { ip: ipOf("10.0.0.2"), port: 1 },
      ],
    },
  ]);
});

test("a declared address counts if it is on the peer's own host, and is refreshed with each message", async () => {
  const { peerAt, timers, sessions } = testSessions();
  await peerAt("10.0.0.2", { declaredAddress: { ip: ipOf("10.0.0.9"), port: 1 }, nonce: 1n });
  await peerAt("10.0.0.3");
  expect(await sessions.known()).toEqual([]);
  const stranger = await peerAt("10.0.0.2", { declaredAddress: { ip: ipOf("10.0.0.2"), port: 1 }, nonce: 2n });
  const metMs = timers.nowMs();
  expect(await sessions.known()).toEqual([{ address: "10.0.0.2:1", lastSeenMs: metMs }]);
  await timers.pass(minute);
  stranger.send({ kind: "score", value: 1n });
  await timers.pass(0);
  expect(await sessions.known()).toEqual([{ address: "10.0.0.2:1", lastSeenMs: metMs + minute }]);
});

test("a node that exchanges no peers neither requests nor responds nor uses lists", async () => {
  const { peerAt, timers, sessions, network, received } = testSessions({ settings: { enablePeersExchange: false } });
  sessions.start();
  const stranger = await peerAt("10.0.0.2", { declaredAddress: { ip: ipOf("10.0.0.2"), port: 1 } });
  stranger.send(
    { kind: "getPeers", value: undefined },
    { kind: "peers", value: [{ ip: ipOf("10.0.1.1"), port: 1 }] },
    { kind: "score", value: 1n },
  );
  await timers.pass(2 * minute);
  expect([stranger.kinds, network.dialed, await sessions.known()]).toEqual([[], [], []]);
  expect(received.map(({ kind }) => kind)).toEqual(["score"]);
});

test("a flood of requests from a peer that reads nothing is not read any further", async () => {
  const { peerAt, timers, sessions, dialedBy, peers } = testSessions();
  for (let host = 0; host < 50; host++) {
    const met = await peerAt(`10.2.0.${host}`, { declaredAddress: { ip: ipOf(`10.2.0.${host}`), port: 1 } });
    met.connection.close();
  }
  await timers.pass(0);
  expect(await sessions.known()).toHaveLength(50);
  const stranger = dialedBy("10.0.0.2", { reads: false }).greet();
  let sent = 0;
  for (; sent < 100_000; sent += 1_000) {
    const isTaken = { yet: false };
    const requests = new Uint8Array(1_000 * 13);
    for (let at = 0; at < requests.length; at += 13)
      requests.set([0, 0, 0, 9, 0x12, 0x34, 0x56, 0x78, 1, 0, 0, 0, 0], at);
    void stranger.connection.write(requests).then(() => {
      isTaken.yet = true;
    });
    await timers.pass(0);
    if (!isTaken.yet) break;
  }
  // Less than 200 KB of responses wait, however many were requested.
  expect(sent).toBeLessThan(20_000);
  expect((peers as unknown as { waitingBytes: number }[]).map(({ waitingBytes }) => waitingBytes < 200_000)).toEqual([
    true,
  ]);
  expect(await Promise.all([stranger.read(), timers.pass(10_000)].slice(1))).toBeDefined();
  expect(stranger.kinds.length).toBeGreaterThan(1_000);
});

test("private addresses are not accepted from peers outside the network", async () => {
  const { peerAt, timers, network, sessions } = testSessions();
  sessions.start();
  const stranger = await peerAt("8.8.8.8");
  const value = ["127.0.0.1", "192.168.0.1", "169.254.169.254", "8.8.4.4"].map((ip) => ({ ip: ipOf(ip), port: 80 }));
  stranger.send({ kind: "peers", value });
  await timers.pass(60_000);
  expect(new Set(network.dialed)).toEqual(new Set(["8.8.4.4:80"]));
});
