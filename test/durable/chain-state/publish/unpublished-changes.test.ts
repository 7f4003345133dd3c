import { describe, expect, test } from "vitest";
import { UnpublishedChanges } from "../../../../durable/chain-state/publish/unpublished-changes.ts";

describe("the lag of the read model", () => {
  test("is 0 when nothing has changed, and when all changes are published", () => {
    const changes = new UnpublishedChanges();
    changes.changed(undefined, 0, 1_000);
    expect(changes.ageMs(0, 2_000)).toBe(0);
    changes.changed(5, 0, 3_000);
    expect(changes.ageMs(5, 9_000)).toBe(0);
  });

  test("is the age of the oldest change that is not published", () => {
    const changes = new UnpublishedChanges();
    changes.changed(3, 0, 1_000);
    changes.changed(6, 0, 1_400);
    changes.changed(9, 0, 1_700);
    expect(changes.ageMs(0, 2_000)).toBe(1_000);
    expect(changes.ageMs(2, 2_000)).toBe(1_000);
    expect(changes.ageMs(3, 2_000)).toBe(600);
    expect(changes.ageMs(8, 2_000)).toBe(300);
    expect(changes.ageMs(9, 2_000)).toBe(0);
  });

  test("does not restart with a call that adds no entry", () => {
    const changes = new UnpublishedChanges();
    changes.changed(3, 0, 1_000);
    changes.changed(3, 0, 1_900);
    expect(changes.ageMs(0, 2_000)).toBe(1_000);
    expect(changes.ageMs(3, 2_000)).toBe(0);
  });

  test("is not negative when the clock was put back", () => {
    const changes = new UnpublishedChanges();
    changes.changed(3, 0, 1_000);
    expect(changes.ageMs(0, 500)).toBe(0);
  });

  test("is never too small because of a change beyond the remembered ones", () => {
    const changes = new UnpublishedChanges();
    for (let sequence = 1; sequence <= 1_500; sequence++) changes.changed(sequence, 0, sequence);
    expect(changes.ageMs(999, 2_000)).toBe(1_000);
    expect(changes.ageMs(1_499, 2_000)).toBe(1_000);
    expect(changes.ageMs(1_500, 2_000)).toBe(0);
  });
});
