/** Budgets of refused work: who spends whose, and until when. */
import { expect, test } from "vitest";
import { networksOf, subscriberOf } from "../../src/network/subscriber.ts";
import { MAX_REFUSED_COMPLEXITY, RefusedWork, WorkExceeded, type WorkSource } from "../../src/platform/refused-work.ts";

const intervalMs = 60_000;

function arrange() {
  const clock = { nowMs: 1_000 };
  const work = new RefusedWork({ networksOf, intervalMs, nowMs: () => clock.nowMs });
  return {
    clock,
    pass: (source: WorkSource, complexity: number) => work.allowanceOf(source).countUnblamed(complexity),
    spend: (source: WorkSource, complexity: number) => work.allowanceOf(source).count(complexity),
    /** The budget that is exceeded, and after what time there is another one. */
    exceeded: (source: WorkSource) => {
      try {
        work.allowanceOf(source).assertBudget();
        return undefined;
      } catch (error) {
        if (!(error instanceof WorkExceeded)) throw error;
        return [error.budget, error.retryAfterMs];
      }
    },
  };
}

const { sender, host, site, network, hosts, newcomers, unblamed } = MAX_REFUSED_COMPLEXITY;

/** A host of IPv6 by its first 64 bits. */
function ipv6Host(site48: number, subnet: number): string {
  const parts = [0x20, 0x01, site48 >> 24, site48 >> 16, site48 >> 8, site48, subnet >> 8, subnet];
  return subscriberOf(Uint8Array.from([...parts, ...new Array<number>(8).fill(0)]));
}

test("a sender that has spent its budget waits for the end of the interval; others of its host do not", () => {
  const { clock, spend, exceeded } = arrange();
  spend({ host: "a", sender: "alice" }, sender - 1);
  expect(exceeded({ host: "a", sender: "alice" })).toBeUndefined();
  spend({ host: "a", sender: "alice" }, 1);
  clock.nowMs += 20_000;
  expect(exceeded({ host: "a", sender: "alice" })).toEqual(["sender", 40_000]);
  expect(exceeded({ host: "a", sender: "bob" })).toBeUndefined();
  expect(exceeded({ host: "a" })).toBeUndefined();
  clock.nowMs += 40_000;
  expect(exceeded({ host: "a", sender: "alice" })).toBeUndefined();
});

test("what one host spends in a sender's name leaves that sender's budget at other hosts", () => {
  const { spend, exceeded } = arrange();
  spend({ host: "stranger", sender: "alice" }, sender);
  expect(exceeded({ host: "home", sender: "alice" })).toBeUndefined();
});

test("a host's senders share its budget, with those who have not signed", () => {
  const { spend, exceeded } = arrange();
  for (let number = 0; number < 4; number++) spend({ host: "a", sender: `sender ${number}` }, host / 5);
  spend({ host: "a" }, host / 5);
  expect(exceeded({ host: "a", sender: "another" })).toEqual(["host", intervalMs]);
  expect(exceeded({ host: "a" })).toEqual(["host", intervalMs]);
  expect(exceeded({ host: "b", sender: "another" })).toBeUndefined();
});

test("all hosts of a /56, and of a /48, share a budget below half of what all have", () => {
  const { spend, exceeded } = arrange();
  for (let number = 0; number < 7; number++) spend({ host: ipv6Host(1, number) }, site / 7);
  expect(exceeded({ host: ipv6Host(1, 0xff) })).toEqual(["site", intervalMs]);
  expect(exceeded({ host: ipv6Host(1, 0x100) })).toBeUndefined();
  spend({ host: ipv6Host(1, 0x100) }, network - site);
  expect(exceeded({ host: ipv6Host(1, 0x200) })).toEqual(["network", intervalMs]);
  expect(exceeded({ host: ipv6Host(2, 0x200) })).toBeUndefined();
  expect(network).toBeLessThan(hosts / 2);
});

test("a /48 does not lock out others, however many hosts it has", () => {
  const { spend, exceeded } = arrange();
  const attempt = 50_000;
  let spent = 0;
  for (let number = 0; number < 65_536; number++) {
    const source = { host: ipv6Host(1, number) };
    if (exceeded(source) !== undefined) continue;
    spend(source, attempt);
    spent += attempt;
  }
  expect(spent).toBeLessThan(network + attempt);
  spend({ host: "198.51.100.1" }, attempt);
  expect(exceeded({ host: "198.51.100.1" })).toBeUndefined();
  expect(exceeded({ host: ipv6Host(2, 1) })).toBeUndefined();
});

test("once all have spent theirs, those wait that have spent something; a reserve is for others, of each version of IP", () => {
  const { spend, exceeded } = arrange();
  for (let number = 0; number < (2 * hosts) / host; number++) spend({ host: `host ${number}` }, host / 2);
  expect(exceeded({ host: "host 3" })).toEqual(["hosts", intervalMs]);
  // A new subnet of a network that has spent something is no newcomer.
  spend({ host: ipv6Host(1, 1) }, newcomers / 2);
  expect(exceeded({ host: ipv6Host(1, 2) })).toEqual(["hosts", intervalMs]);
  expect(exceeded({ host: ipv6Host(2, 1) })).toBeUndefined();
  spend({ host: ipv6Host(2, 1) }, newcomers / 2);
  expect(exceeded({ host: ipv6Host(3, 1) })).toEqual(["hosts", intervalMs]);
  expect(exceeded({ host: "new" })).toBeUndefined();
  spend({ host: "new" }, newcomers);
  expect(exceeded({ host: "newer" })).toEqual(["hosts", intervalMs]);
});

test("more networks than are counted one by one share what is left, those of another version of IP do not", () => {
  const { spend, exceeded } = arrange();
  for (let number = 0; number < 10_000; number++) spend({ host: `host ${number}` }, 1);
  expect(exceeded({ host: "late" })).toBeUndefined();
  spend({ host: "late" }, host);
  expect(exceeded({ host: "later" })).toEqual(["host", intervalMs]);
  expect(exceeded({ host: "host 9" })).toBeUndefined();
  expect(exceeded({ host: ipv6Host(1, 1) })).toBeUndefined();
});

test("senders beyond those that are counted one by one spend what their hosts have, not each other's", () => {
  const { spend, exceeded } = arrange();
  for (let number = 0; number < 10_000; number++) spend({ host: "a", sender: `sender ${number}` }, 1);
  spend({ host: "b", sender: "late" }, sender);
  expect(exceeded({ host: "c", sender: "later" })).toBeUndefined();
});

test("what a host has passed on without blame spends its budget only beyond another one of that size", () => {
  const { pass, spend, exceeded } = arrange();
  const source = { host: ipv6Host(1, 1), sender: "alice" };
  for (let number = 0; number < 10; number++) pass(source, unblamed / 10);
  spend(source, 1);
  expect(exceeded(source)).toBeUndefined();
  pass({ host: ipv6Host(1, 2) }, host);
  expect(exceeded({ host: ipv6Host(1, 2) })).toEqual(["host", intervalMs]);
  expect(exceeded(source)).toBeUndefined();
});

test("a clock that goes back begins another interval", () => {
  const { clock, spend, exceeded } = arrange();
  spend({ host: "a" }, host);
  clock.nowMs = 0;
  expect(exceeded({ host: "a" })).toBeUndefined();
});
