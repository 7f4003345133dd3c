import { expect, test } from "vitest";
import { finished } from "../../../../durable/peers/sync/finished.ts";

/** Gives one after the other; an error is thrown. */
function giving(...answers: readonly (string | Error)[]): () => Promise<string> {
  const left = [...answers];
  return async () => {
    const answer = left.shift();
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error("called once more");
    return answer;
  };
}

const reset = new Error("the object was reset");

test("a call whose chain is reset while it judges in portions is made again", async () => {
  expect(await finished(giving("unfinished", reset, reset, reset, "unfinished", reset, "done"))).toBe("done");
  expect(await finished(giving(reset, "done"), true)).toBe("done");
});

test("a call that fails at once, or again and again, fails", async () => {
  await expect(finished(giving(reset, "done"))).rejects.toBe(reset);
  await expect(finished(giving("unfinished", reset, reset, reset, reset, "done"))).rejects.toBe(reset);
});
