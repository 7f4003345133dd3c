import { expect, test } from "vitest";
import { WebSocketConnection } from "../../../../durable/peer-hub/sockets/web-socket-connection.ts";
import { WebSocketPeers } from "../../../../durable/peer-hub/sockets/web-socket-peers.ts";
import { FakeTimers } from "../../../support/fakes/fake-timers.ts";
import { socketPair } from "../../../support/fakes/socket-pair.ts";

const urls = ["wss://node.example/p2p"];
const remote = { ip: Uint8Array.of(203, 0, 113, 1), port: 443 };

/** Starts to connect. `attemptsMs`: time of each attempt after the start. */
function started(connect: () => WebSocketConnection) {
  const timers = new FakeTimers(0);
  const attemptsMs: number[] = [];
  const accepted: WebSocketConnection[] = [];
  const dial = async (): Promise<WebSocketConnection> => {
    attemptsMs.push(timers.nowMs());
    return connect();
  };
  const peers = new WebSocketPeers({ urls, dial, accept: (each) => void accepted.push(each), timers });
  peers.start();
  return { timers, attemptsMs, accepted, peers };
}

function refused(): never {
  throw new Error("no response");
}

const acceptedConnection = () => new WebSocketConnection(socketPair()[0], remote);

test("an edge node that does not respond is tried again after pauses that double, up to five minutes", async () => {
  const { timers, attemptsMs } = started(refused);
  await timers.pass(1_000_000);
  expect(attemptsMs.map((timeMs) => timeMs / 1000)).toEqual([0, 5, 15, 35, 75, 155, 315, 615, 915]);
});

test("an ended connection is reopened: soon if it was useful, later each time it was not", async () => {
  const { timers, attemptsMs, accepted } = started(acceptedConnection);
  for (const heldMs of [0, 0, 60_000, 0]) {
    await timers.pass(heldMs);
    accepted.at(-1)?.close();
    await timers.pass(12_000);
  }
  expect(accepted).toHaveLength(5);
  expect(attemptsMs.map((timeMs) => timeMs / 1000)).toEqual([0, 5, 22, 89, 106]);
});

test("none is made once it has stopped", async () => {
  const { timers, attemptsMs, peers } = started(refused);
  await timers.pass(1_000);
  peers.stop();
  expect(timers.pending).toBe(0);
  await timers.pass(1_000_000);
  expect(attemptsMs).toEqual([0]);
});
