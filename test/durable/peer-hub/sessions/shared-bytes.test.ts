import { expect, test } from "vitest";
import { SharedBytes } from "../../../../durable/peer-hub/sessions/shared-bytes.ts";

const LIMIT = 10;
const frame = (): Uint8Array => new Uint8Array(4);

/** Connections that drop all waiting frames when they are closed. */
function connections(shared: SharedBytes) {
  const givenUp: string[] = [];
  const connection = (name: string) => {
    const frames: Uint8Array[] = [];
    const one = {
      add: (added: Uint8Array) => {
        frames.push(added);
        shared.add(added, one);
      },
      take: () => shared.remove(frames.shift() ?? frame(), one),
      giveUp: () => {
        givenUp.push(name);
        for (const each of frames.splice(0)) shared.remove(each, one);
      },
    };
    return one;
  };
  return { connection, givenUp };
}

test("a frame that waits for several is counted once, until the last of them has read it", () => {
  const shared = new SharedBytes(LIMIT);
  const { connection } = connections(shared);
  const both = [connection("one"), connection("two")];
  const same = frame();
  for (const each of both) each.add(same);
  expect(shared.sizeBytes).toBe(4);
  both[0]?.take();
  expect(shared.sizeBytes).toBe(4);
  both[1]?.take();
  expect(shared.sizeBytes).toBe(0);
});

test("when too much waits, those are closed that have read nothing for longest", () => {
  const shared = new SharedBytes(LIMIT);
  const { connection, givenUp } = connections(shared);
  const [takes, stands, late] = [connection("takes"), connection("stands"), connection("late")];
  takes.add(frame());
  takes.add(new Uint8Array(1));
  stands.add(frame());
  takes.take();
  late.add(frame());
  expect([givenUp, shared.sizeBytes]).toEqual([[], 9]);
  // `takes` has waited since before `stands`, and has read something since.
  late.add(frame());
  expect([givenUp, shared.sizeBytes]).toEqual([["stands"], 9]);
  late.add(frame());
  expect([givenUp, shared.sizeBytes]).toEqual([["stands", "takes", "late"], 0]);
});
