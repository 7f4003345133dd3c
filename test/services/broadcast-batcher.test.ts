/** Batches of submissions to ChainState, and requests whose call fails or never ends. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BroadcastResult, PoolSubmission, SubmissionResult } from "../../src/env.ts";
import { BroadcastBatcher } from "../../src/services/broadcast-batcher.ts";
import { ChainUnavailable } from "../../src/services/chain-calls.ts";

const submissionOf = (number: number, sizeBytes = 1): PoolSubmission => ({
  signedTransaction: new Uint8Array(sizeBytes).fill(number),
});
const numberOf = ({ signedTransaction }: PoolSubmission) => signedTransaction[0] as number;

/** A ChainState that responds on command, and requests that submit to it. */
function arrange() {
  const calls: { readonly numbers: readonly number[]; readonly end: PromiseWithResolvers<SubmissionResult[]> }[] = [];
  const works: Promise<unknown>[] = [];
  const offers = new BroadcastBatcher();
  const request = {
    pool: {
      broadcastAll: (sent: PoolSubmission[]): Promise<SubmissionResult[]> => {
        const end = Promise.withResolvers<SubmissionResult[]>();
        calls.push({ numbers: sent.map(numberOf), end });
        return end.promise;
      },
    },
    waitUntil: (work: Promise<unknown>) => void works.push(work),
    nowMs: Date.now,
  };
  return {
    works,
    calls: () => calls.map(({ numbers }) => numbers),
    send: (number: number, sizeBytes?: number) => offers.submit(submissionOf(number, sizeBytes), request),
    /** Responds to all of a call, or to the first of it. */
    answer: async (call: number, count = Number.POSITIVE_INFINITY) => {
      const { numbers, end } = calls[call] as (typeof calls)[number];
      end.resolve(numbers.slice(0, count).map(resultOf));
      await settled();
    },
    fail: async (call: number, error: Error) => {
      calls[call]?.end.reject(error);
      await settled();
    },
  };
}

/** Odd ones are known already. */
const resultOf = (number: number): BroadcastResult => ({ accepted: true, isNew: number % 2 === 0 });
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("who is alone is asked for at once; who comes meanwhile goes with the next call, in the order of arrival", async () => {
  const { send, answer, calls, works } = arrange();
  const sent = [0, 1, 2, 3].map((number) => send(number));
  expect(calls()).toEqual([[0]]);
  await answer(0);
  expect(calls()).toEqual([[0], [1, 2, 3]]);
  const later = send(4);
  await answer(1);
  await answer(2);
  expect(calls()).toEqual([[0], [1, 2, 3], [4]]);
  expect(await Promise.all([...sent, later])).toEqual([0, 1, 2, 3, 4].map(resultOf));
  // The calls continue after the response of the request that made them.
  expect(works).toHaveLength(1);
  await Promise.all(works);
});

test("a call takes 64 transactions or a megabyte, but at least one", async () => {
  const { send, answer, calls } = arrange();
  const many = Array.from({ length: 130 }, (_, number) => send(number));
  await answer(0);
  await answer(1);
  await answer(2);
  await answer(3);
  expect(calls().map((numbers) => numbers.length)).toEqual([1, 64, 64, 1]);
  expect(await Promise.all(many)).toHaveLength(130);
  const large = [600_000, 600_000, 1_200_000, 100, 100].map((sizeBytes, number) => send(number, sizeBytes));
  for (let call = 4; call < 8; call++) await answer(call);
  expect(calls().slice(4)).toEqual([[0], [1], [2], [3, 4]]);
  await Promise.all(large);
});

test("those to which ChainState does not come are offered again, before those that came later", async () => {
  const { send, answer, calls } = arrange();
  const sent = [0, 1, 2, 3].map((number) => send(number));
  await answer(0);
  sent.push(send(4));
  await answer(1, 1);
  await answer(2);
  expect(calls()).toEqual([[0], [1, 2, 3], [2, 3, 4]]);
  expect(await Promise.all(sent)).toEqual([0, 1, 2, 3, 4].map(resultOf));
});

test("after a call that did not come to all of them, requests that compute little go first", async () => {
  const goOn = Promise.withResolvers<void>();
  const spent: number[] = [];
  const turn = { begin: () => goOn.promise, spent: (complexity: number) => void spent.push(complexity) };
  const calls: number[] = [];
  const pool = {
    broadcastAll: async (sent: PoolSubmission[]) => {
      calls.push(sent.length);
      return sent.slice(0, 1).map((submission) => resultOf(numberOf(submission)));
    },
  };
  const offers = new BroadcastBatcher();
  const sent = [0, 1, 2].map((number) =>
    offers.submit(submissionOf(number), { pool, slot: turn, waitUntil: () => {}, nowMs: Date.now }),
  );
  await settled();
  // The first one was alone.
  expect([calls, spent]).toEqual([[1, 2], [50_000]]);
  goOn.resolve();
  expect(await Promise.all(sent)).toEqual([0, 1, 2].map(resultOf));
  expect(calls).toEqual([1, 2, 1]);
});

test("a call that fails fails for all of its submissions, and for no others", async () => {
  const { send, answer, fail, calls } = arrange();
  const first = send(0);
  const together = Promise.allSettled([send(1), send(2)]);
  await answer(0);
  const later = send(3);
  const error = new ChainUnavailable("ChainState did not answer");
  await fail(1, error);
  expect(await together).toEqual([
    { status: "rejected", reason: error },
    { status: "rejected", reason: error },
  ]);
  await answer(2);
  expect(calls()).toEqual([[0], [1, 2], [3]]);
  expect(await Promise.all([first, later])).toEqual([0, 3].map(resultOf));
});

test("a transaction at which something failed is as one whose call has failed", async () => {
  const failing = { ...request(["failed"]) };
  await expect(new BroadcastBatcher().submit(submissionOf(1), failing)).rejects.toThrow(ChainUnavailable);
});

test("an answer to nothing is none", async () => {
  await expect(new BroadcastBatcher().submit(submissionOf(1), request([]))).rejects.toThrow(ChainUnavailable);
});

function request(answers: SubmissionResult[]) {
  return { pool: { broadcastAll: async () => answers }, waitUntil: () => {}, nowMs: Date.now };
}

test("a request makes calls for others for a second, and then leaves it to one of them", async () => {
  const { send, answer, calls, works } = arrange();
  const sent = [send(0), send(1)];
  await answer(0);
  sent.push(send(2), send(3));
  vi.setSystemTime(Date.now() + 1_000);
  await answer(1);
  expect(works).toHaveLength(2);
  expect(calls()).toEqual([[0], [1], [2, 3]]);
  await answer(2);
  expect(await Promise.all(sent)).toEqual([0, 1, 2, 3].map(resultOf));
});

test("who hears nothing of a call that another request has made asks again, and those behind with it", async () => {
  const { send, answer, calls } = arrange();
  void send(0);
  const sent = [send(1), send(2)];
  // The first request and its call never end.
  await vi.advanceTimersByTimeAsync(9_999);
  expect(calls()).toEqual([[0]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(calls()).toEqual([[0], [1, 2]]);
  await answer(1);
  expect(await Promise.all(sent)).toEqual([1, 2].map(resultOf));
});

test("and so do those whose offers that call has taken along", async () => {
  const { send, answer, calls } = arrange();
  const sent = [0, 1, 2].map((number) => send(number));
  await answer(0);
  await vi.advanceTimersByTimeAsync(10_000);
  await answer(2);
  await answer(3);
  expect(calls()).toEqual([[0], [1, 2], [1], [2]]);
  expect(await Promise.all(sent)).toEqual([0, 1, 2].map(resultOf));
});

test("what a client has given up long ago is not offered any more", async () => {
  const { send, calls } = arrange();
  void send(0);
  void send(1);
  await vi.advanceTimersByTimeAsync(5_000);
  vi.clearAllTimers();
  vi.setSystemTime(Date.now() + 60_000);
  void send(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls()).toEqual([[0], [2]]);
});

test("calls that overlap since one was given up do not hide each other's answers", async () => {
  const { send, answer } = arrange();
  const first = send(0);
  const second = send(1);
  await vi.advanceTimersByTimeAsync(10_000);
  const third = send(2);
  await answer(0);
  expect(await first).toEqual(resultOf(0));
  await answer(1);
  await answer(2);
  expect(await Promise.all([second, third])).toEqual([1, 2].map(resultOf));
});
