import { expect, test } from "vitest";
import { compile } from "../../../src/ride/compiler/compile.ts";

test("a source for a version that is still to come is not compiled", async () => {
  const request = { libraries: {}, estimator: 1, defaultLibraryVersion: 5, compacts: false } as const;
  await expect(compile({ ...request, source: "{-# STDLIB_VERSION 9 #-}\ntrue" })).rejects.toThrow(
    "Illegal directive value 9 for key STDLIB_VERSION",
  );
});
