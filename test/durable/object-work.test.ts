import { expect, test } from "vitest";
import { noWork, ObjectWorkMeter } from "../../durable/object-work.ts";

function arrange() {
  const clock = { nowMs: 1_000 };
  const counts = noWork();
  return { clock, counts, meter: new ObjectWorkMeter(() => clock.nowMs, counts) };
}

test("overlapping operations count their time once", async () => {
  const { clock, meter } = arrange();
  const ends: (() => void)[] = [];
  const begin = () => new Promise<void>((resolve) => ends.push(resolve));
  const call = meter.request(begin);
  clock.nowMs += 100;
  const batch = meter.during(begin);
  clock.nowMs += 20;
  ends[0]?.();
  await call;
  expect(meter.work).toMatchObject({ requests: 1, activeMs: 120 });
  clock.nowMs += 3;
  ends[1]?.();
  await batch;
  clock.nowMs += 5_000;
  expect(meter.work).toMatchObject({ requests: 1, activeMs: 123 });
});

test("a failed call ends, too", async () => {
  const { clock, meter } = arrange();
  await expect(meter.request(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  clock.nowMs += 1_000;
  expect(meter.work.activeMs).toBe(0);
});

test("a statement counts as it is when the next one begins, and each once", () => {
  const { meter } = arrange();
  const first = { rowsRead: 0, rowsWritten: 0 };
  expect(meter.statement(first)).toBe(first);
  // It is read to its end.
  Object.assign(first, { rowsRead: 7, rowsWritten: 1 });
  meter.statement({ rowsRead: 2, rowsWritten: 0 });
  expect(meter.work).toMatchObject({ sqlRowsRead: 9, sqlRowsWritten: 1 });
  expect(meter.work).toMatchObject({ sqlRowsRead: 9, sqlRowsWritten: 1 });
});

test("an alarm counts as a row written, and D1 counts separately", () => {
  const { meter } = arrange();
  meter.alarmSet();
  meter.d1Batch([{ meta: { rows_read: 3, rows_written: 4 } }, { meta: {} }, { meta: { rows_written: 1 } }]);
  expect(meter.work).toMatchObject({ sqlRowsWritten: 1, d1Batches: 1, d1RowsRead: 3, d1RowsWritten: 5 });
});

test("an object that is recreated counts on, and forgets operations of its predecessor", () => {
  const { clock, counts, meter } = arrange();
  void meter.request(() => new Promise(() => {}));
  const next = new ObjectWorkMeter(() => clock.nowMs, counts);
  clock.nowMs += 1_000;
  expect(next.work).toMatchObject({ requests: 1, activeMs: 0 });
});
