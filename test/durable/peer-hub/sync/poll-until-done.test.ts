import { expect, test } from "vitest";
import { pollUntilDone } from "../../../../durable/peer-hub/sync/poll-until-done.ts";

/** Returns the responses one after the other; throws an error among them. */
function giving(...responses: readonly (string | Error)[]): () => Promise<string> {
  const remaining = [...responses];
  return async () => {
    const response = remaining.shift();
    if (response === undefined || response instanceof Error) throw response ?? new Error("called once more");
    return response;
  };
}

const reset = new Error("the object was reset");

test("a call whose chain is reset during a validation in slices is made again", async () => {
  expect(await pollUntilDone(giving("unfinished", reset, reset, reset, "unfinished", reset, "done"))).toBe("done");
  expect(await pollUntilDone(giving(reset, "done"), true)).toBe("done");
});

test("a call that fails at once, or repeatedly, fails", async () => {
  await expect(pollUntilDone(giving(reset, "done"))).rejects.toBe(reset);
  await expect(pollUntilDone(giving("unfinished", reset, reset, reset, reset, "done"))).rejects.toBe(reset);
});
