import { expect, test } from "vitest";
import type { Connection } from "../../../../durable/peer-hub/connection.ts";
import { SeededRandom } from "../../../../verification/chain-generator/seeded-random.ts";
import { SimulatedClock } from "../../../../verification/simulation/network/simulated-clock.ts";
import { SimulatedInternet } from "../../../../verification/simulation/network/simulated-internet.ts";

const port = 6868;

function internetOf(seed: string) {
  const clock = new SimulatedClock(0);
  const internet = new SimulatedInternet(clock, new SeededRandom(seed));
  const [one, other] = [1, 2].map((number) => internet.addHost(Uint8Array.of(203, 0, 113, number), port));
  if (one === undefined || other === undefined) throw new Error("there are two hosts");
  return { clock, internet, one, other };
}

/** Reads until the end of the connection. */
function received(connection: Connection): { bytes: number[]; isOver: boolean } {
  const seen = { bytes: [] as number[], isOver: false };
  void (async () => {
    for await (const chunk of connection.incoming) for (const byte of chunk) seen.bytes.push(byte);
    seen.isOver = true;
  })();
  return seen;
}

async function connectedPair(seed = "seed") {
  const world = internetOf(seed);
  const { clock, one, other } = world;
  const accepted: Connection[] = [];
  other.accept = (connection) => accepted.push(connection);
  const dialed: Connection[] = [];
  void one.connect(other.address).then((connection) => dialed.push(connection));
  await clock.runUntil(5_000);
  const [own, theirs] = [dialed[0], accepted[0]];
  if (own === undefined || theirs === undefined) throw new Error("they are connected");
  return { ...world, own, theirs };
}

test("bytes come in their order, in pieces, and take their time", async () => {
  const { clock, own, theirs } = await connectedPair();
  const seen = received(theirs);
  const sent = Array.from({ length: 3_000 }, (_, index) => index % 251);
  for (let start = 0; start < sent.length; start += 100)
    await own.write(Uint8Array.from(sent.slice(start, start + 100)));
  expect(seen.bytes).toEqual([]);
  await clock.runUntil(10_000);
  expect(seen.bytes).toEqual(sent);
  expect(seen.isOver).toBe(false);
});

test("a peer that reads nothing holds up the writer", async () => {
  const { clock, own, theirs } = await connectedPair();
  let written = 0;
  void (async () => {
    for (;;) {
      await own.write(new Uint8Array(100_000));
      written += 1;
    }
  })().catch(() => {});
  await clock.runUntil(60_000);
  expect(written).toBe(2);
  const seen = received(theirs);
  await clock.runUntil(120_000);
  expect(written).toBeGreaterThan(3);
  expect(seen.bytes.length).toBeGreaterThan(300_000);
  own.close();
});

test("what was written before a close arrives, and then the end", async () => {
  const { clock, own, theirs } = await connectedPair();
  const [ours, seen] = [received(own), received(theirs)];
  await own.write(Uint8Array.of(1, 2, 3));
  own.close();
  await expect(own.write(Uint8Array.of(4))).rejects.toThrow("closed");
  await clock.runUntil(10_000);
  expect(seen).toEqual({ bytes: [1, 2, 3], isOver: true });
  expect(ours.isOver).toBe(true);
  await expect(theirs.write(Uint8Array.of(5))).rejects.toThrow("closed");
});

test("a cut loses what is under way, and both ends see it", async () => {
  const { clock, internet, own, theirs } = await connectedPair();
  const [ours, seen] = [received(own), received(theirs)];
  await own.write(Uint8Array.of(1));
  expect(internet.cut(() => true)).toBe(1);
  await clock.runUntil(10_000);
  expect(seen).toEqual({ bytes: [], isOver: true });
  expect(ours.isOver).toBe(true);
  expect(internet.connections).toBe(0);
});

test("parts that do not hear each other hear what was said once they do again", async () => {
  const { clock, internet, one, own, theirs } = await connectedPair();
  const seen = received(theirs);
  internet.divide((from, to) => from !== to);
  await own.write(Uint8Array.of(1));
  await own.write(Uint8Array.of(2));
  const refused: string[] = [];
  one.connect({ ip: Uint8Array.of(203, 0, 113, 2), port }).catch((error: Error) => refused.push(error.message));
  await clock.runUntil(100_000);
  expect(seen.bytes).toEqual([]);
  expect(refused).toEqual(["no response from 203.0.113.2"]);
  internet.heal();
  await own.write(Uint8Array.of(3));
  await clock.runUntil(110_000);
  expect(seen.bytes).toEqual([1, 2, 3]);
});

test("a host that does not listen refuses, and a name that is no address does not resolve", async () => {
  const { clock, one, other } = internetOf("seed");
  const refused: string[] = [];
  one.connect(other.address).catch((error: Error) => refused.push(error.message));
  await clock.runUntil(5_000);
  expect(refused).toEqual(["203.0.113.2 refuses"]);
  await expect(one.resolve("nowhere")).rejects.toThrow("there is no host nowhere");
  expect(await one.resolve("203.0.113.2")).toEqual([Uint8Array.of(203, 0, 113, 2)]);
});
