import { describe, expect, test, vi } from "vitest";
import { PeerBook } from "../../../../durable/peer-hub/sessions/peer-book.ts";
import type { PeerStorage } from "../../../../durable/peer-hub/sessions/peer-storage.ts";
import { SqlPeerStorage } from "../../../../durable/peer-hub/sql-peer-storage.ts";
import { defaultPeerSettings, type PeerSettings } from "../../../../src/network/peer-settings.ts";
import type { PeerAddress } from "../../../../src/protocol/messages/peer-address.ts";
import { nodeDatabase } from "../../../../verification/sqlite/node-database.ts";
import { FakeTimers } from "../../../support/fakes/fake-timers.ts";
import { ipOf } from "../../../support/fakes/memory-network.ts";
import { PeersInMemory } from "../../../support/fakes/peers-in-memory.ts";

const at = (ip: string, port = 6868): PeerAddress => ({ ip: ipOf(ip), port });
const noPeer = (): boolean => false;
const teller = ipOf("1.1.2.1");
const minute = 60_000;

function testBook(settings: Partial<PeerSettings> = {}, storage: PeerStorage = new PeersInMemory()) {
  const timers = new FakeTimers();
  const open = (): PeerBook =>
    new PeerBook({
      settings: { ...defaultPeerSettings, port: 6868, ...settings },
      storage,
      nowMs: () => timers.nowMs(),
      random: (sizeBytes) => new Uint8Array(sizeBytes),
    });
  return { book: open(), timers, storage, open };
}

describe("a candidate is any address except", () => {
  test.each<[string, PeerAddress, boolean]>([
    ["that of no host", at("0.0.0.0"), false],
    ["that of no host, of the longer kind", at("::"), false],
    ["this node", at("127.0.0.1"), false],
    ["this node at another address of its own", at("127.0.0.2"), false],
    ["this node, of the longer kind", at("::1"), false],
    ["(another node of this host may be one)", at("127.0.0.1", 6869), true],
    ["(one of a private network may be one)", at("192.168.0.1"), true],
    ["(so may one for many, which the reference takes)", at("224.0.0.1"), true],
    ["(and one of the longer kind)", at("2001:db8::1"), true],
  ])("%s", (_, address, isTaken) => {
    const { book } = testBook();
    expect(book.addCandidate(address, teller)).toBe(isTaken);
    expect(book.next(noPeer)).toEqual(isTaken ? address : undefined);
  });
});

test("a candidate is queued once, and not when it is known", () => {
  const { book } = testBook();
  book.touch(at("1.1.1.1"));
  expect(book.addCandidate(at("1.1.1.1"), teller)).toBe(false);
  expect([book.addCandidate(at("1.1.1.2"), teller), book.addCandidate(at("1.1.1.2"), teller)]).toEqual([true, false]);
});

test("of many candidates the last ones are kept", () => {
  const { book } = testBook({ maxUnverifiedPeers: 3 });
  for (const last of [1, 2, 3, 4, 5]) book.addCandidate(at(`1.1.1.${last}`), teller);
  expect(book.candidates).toBe(3);
  expect([book.next(noPeer), book.next(noPeer)]).toEqual([at("1.1.1.3"), at("1.1.1.4")]);
});

test("candidates are tried before known peers, and blacklisted ones are not", () => {
  const { book } = testBook();
  book.touch(at("1.1.1.1"));
  for (const last of [2, 3, 4, 5]) book.addCandidate(at(`1.1.1.${last}`), teller);
  book.blacklist(ipOf("1.1.1.2"), "why");
  book.suspend(ipOf("1.1.1.3"));
  expect(book.next(({ ip }) => ip[3] === 4)).toEqual(at("1.1.1.5"));
  expect([book.next(noPeer), book.next(noPeer)]).toEqual([at("1.1.1.1"), at("1.1.1.1")]);
  book.suspend(ipOf("1.1.1.1"));
  expect(book.next(noPeer)).toBeUndefined();
});

test("a peer that tells of many displaces no candidates of others, and all have their turns", () => {
  const { book } = testBook({ maxUnverifiedPeers: 10 });
  const tell = (from: string, network: string, count: number): void => {
    for (let host = 1; host <= count; host++) book.addCandidate(at(`${network}.${host}`), ipOf(from));
  };
  tell("5.5.5.1", "1.1.1", 2);
  tell("6.6.6.6", "2.2.2", 100);
  // Two subnets of one IPv6 network.
  tell("2001:db8:1:1::1", "3.3.3", 50);
  tell("2001:db8:1:2::1", "4.4.4", 50);
  expect(book.candidates).toBe(10);
  const tried = Array.from({ length: 10 }, () => book.next(noPeer)?.ip.join("."));
  expect(tried.slice(0, 6)).toEqual(["1.1.1.1", "2.2.2.97", "4.4.4.47", "1.1.1.2", "2.2.2.98", "4.4.4.48"]);
});

test("candidates and those that have proven good are dialed in turns", () => {
  const { book } = testBook();
  book.touch(at("9.9.9.9"));
  book.prove(at("1.1.1.1"));
  for (const last of [1, 2, 3]) book.addCandidate(at(`2.2.2.${last}`), teller);
  const next = () => book.next(noPeer)?.ip.join(".");
  expect([next(), next(), next(), next(), next()]).toEqual(["2.2.2.1", "1.1.1.1", "2.2.2.2", "1.1.1.1", "2.2.2.3"]);
  book.suspend(ipOf("1.1.1.1"));
  expect([next(), next()]).toEqual(["9.9.9.9", "9.9.9.9"]);
});

test("those that have proven good make room for no strangers, also after a restart and when they are seen again", () => {
  const { book, open } = testBook();
  for (let last = 1; last <= 3; last++) book.prove(at(`1.1.1.${last}`));
  book.touch(at("1.1.1.1"));
  for (const known of [book, open()]) {
    for (let host = 0; host < 6_000; host++) known.touch(at(`9.9.${host >> 8}.${host & 255}`));
    const kept = known.knownAddresses().filter(({ ip }) => ip[0] === 1);
    expect([kept.length, known.knownAddresses().length]).toEqual([3, 5_000]);
  }
  // The same for the ports of one host.
  for (let port = 1; port <= 50; port++) book.touch(at("1.1.1.1", port));
  expect(book.knownAddresses().filter(({ ip, port }) => ip[3] === 1 && ip[0] === 1 && port === 6868)).toHaveLength(1);
});

describe.each<[string, () => PeerStorage]>([
  ["in memory", () => new PeersInMemory()],
  ["in SQLite", () => new SqlPeerStorage(nodeDatabase())],
])("%s", (_, storageOf) => {
  test("peers, blacklisted hosts and their times survive a restart", async () => {
    const { book, timers, open } = testBook({}, storageOf());
    book.touch(at("1.1.1.1"));
    await timers.pass(1_000);
    book.touch(at("::2", 1));
    book.blacklist(ipOf("1.1.1.3"), "it's bad");
    book.suspend(ipOf("1.1.1.4"));
    const [first, second] = [timers.nowMs() - 1_000, timers.nowMs()];
    await timers.pass(1_000);
    const later = open();
    expect(later.known()).toEqual([
      { address: "[0:0:0:0:0:0:0:2]:1", lastSeenMs: second },
      { address: "1.1.1.1:6868", lastSeenMs: first },
    ]);
    expect(later.blacklisted()).toEqual([{ host: "1.1.1.3", timestampMs: second, reason: "it's bad" }]);
    expect(later.suspended()).toEqual([{ host: "1.1.1.4", timestampMs: second }]);
  });

  test("each is kept for its time", async () => {
    const { book, timers, open, storage } = testBook({}, storageOf());
    book.touch(at("1.1.1.1"));
    book.blacklist(ipOf("1.1.1.3"), "why");
    book.suspend(ipOf("1.1.1.4"));
    const counts = (): number[] => [book.known(), book.blacklisted(), book.suspended()].map(({ length }) => length);
    await timers.pass(minute - 1);
    expect(counts()).toEqual([1, 1, 1]);
    await timers.pass(1);
    expect(counts()).toEqual([1, 1, 0]);
    await timers.pass(14 * minute);
    expect([counts(), book.isBlacklisted(ipOf("1.1.1.3"))]).toEqual([[1, 0, 0], false]);
    await timers.pass(24 * 60 * minute);
    expect([counts(), open().known(), storage.rows()]).toEqual([[0, 0, 0], [], []]);
  });

  test("a blacklist that is cleared is empty after a restart, too", () => {
    const { book, open } = testBook({}, storageOf());
    book.touch(at("1.1.1.1"));
    book.blacklist(ipOf("1.1.1.1"), "why");
    expect([book.known(), book.knownAddresses()]).toEqual([[], []]);
    book.clearBlacklist();
    expect([open().blacklisted(), open().known().length]).toEqual([[], 1]);
  });

  test("a peer that is seen again and again is written now and then", async () => {
    const storage = storageOf();
    const written: number[] = [];
    const counting: PeerStorage = {
      rows: () => storage.rows(),
      put: (row) => {
        written.push(row.timeMs);
        storage.put(row);
      },
      remove: (kind, address) => storage.remove(kind, address),
    };
    const { book, timers } = testBook({}, counting);
    for (let second = 0; second < 3_600; second++) {
      book.touch(at("1.1.1.1"));
      await timers.pass(1_000);
    }
    expect(written).toHaveLength(2);
    expect(book.known()).toEqual([{ address: "1.1.1.1:6868", lastSeenMs: timers.nowMs() - 1_000 }]);
  });
});

test("a node with a disabled blacklist stores no reason", () => {
  const { book } = testBook({ enableBlacklisting: false });
  book.blacklist(ipOf("1.1.1.1"), "why");
  expect([book.blacklisted(), book.isBlacklisted(ipOf("1.1.1.1"))]).toEqual([[], false]);
});

test("a peer that is seen again is the newest, and the last to be evicted", async () => {
  const { book, timers } = testBook();
  for (const last of [1, 2, 3]) book.touch(at(`1.1.1.${last}`));
  await timers.pass(1_000);
  book.touch(at("1.1.1.1"));
  expect(book.known().map(({ address }) => address)).toEqual(["1.1.1.1:6868", "1.1.1.3:6868", "1.1.1.2:6868"]);
  await timers.pass(24 * 60 * minute - 1_000);
  expect(book.known().map(({ address }) => address)).toEqual(["1.1.1.1:6868"]);
});

test("one host has at most ten entries, and the total is bounded", () => {
  const { book, storage } = testBook();
  for (let port = 1; port <= 50; port++) book.touch(at("1.1.1.1", port));
  expect(book.known().map(({ address }) => address)).toEqual(
    Array.from({ length: 10 }, (_, back) => `1.1.1.1:${50 - back}`),
  );
  for (let host = 1; host <= 50; host++) book.touch(at(`2001:db8:1:2::${host.toString(16)}`));
  expect(book.known()).toHaveLength(20);
  for (let host = 0; host < 6_000; host++) book.touch(at(`9.9.${host >> 8}.${host & 255}`));
  expect([book.knownAddresses().length, storage.rows().length]).toEqual([5_000, 5_000]);
  for (let host = 0; host < 11_000; host++) book.blacklist(ipOf(`8.8.${host >> 8}.${host & 255}`), "why");
  expect(storage.rows().filter(({ kind }) => kind === "blacklisted")).toHaveLength(10_000);
  // A list for a client has only a part of it, since any client may request it.
  expect([book.known(), book.blacklisted()].map(({ length }) => length)).toEqual([1_000, 1_000]);
});

test("a host that is suspended again and again is stored once", () => {
  const storage = new PeersInMemory();
  const put = vi.spyOn(storage, "put");
  const { book } = testBook({}, storage);
  for (let time = 0; time < 100; time++) book.suspend(ipOf("1.1.1.1"));
  expect(put).toHaveBeenCalledTimes(1);
});

test("the table of another release is recreated", () => {
  const sql = nodeDatabase();
  new SqlPeerStorage(sql).put({ kind: "known", place: "1.1.1.1:1", timeMs: 1, reason: "" });
  expect(new SqlPeerStorage(sql).rows()).toHaveLength(1);
  sql.exec("UPDATE peer_version SET version = 999");
  sql.exec("ALTER TABLE peer DROP COLUMN reason");
  expect(new SqlPeerStorage(sql).rows()).toEqual([]);
});
