import { expect, test } from "vitest";
import { instantText } from "../../../src/routes/json/instant.ts";

test("whole seconds have no fraction, all other times have three digits of it", () => {
  expect(instantText(1_712_298_427_000n)).toBe("2024-04-05T06:27:07Z");
  expect(instantText(1_712_298_427_500n)).toBe("2024-04-05T06:27:07.500Z");
  expect(instantText(0n)).toBe("1970-01-01T00:00:00Z");
});
