import { describe, expect, it } from "vitest";
import { scriptFailure } from "../../../../web/explorer/calls/script-failure.ts";

describe("scriptFailure", () => {
  it("tells the error of a script from what was computed before it", () => {
    const log =
      'reason = "x = y"\n\tlist = [\n\t\t1,\n\t\t2\n\t]\n\tthrow.@args = [\n\t\t"x"\n\t]\n\t@complexityLimit = 12\n';
    const { error, variables } = scriptFailure(`InvokeRejectError(error = a, log = b, log = \n\t${log})`);
    expect(error).toBe("a, log = b");
    expect(variables).toEqual([
      { name: "reason", text: '"x = y"' },
      { name: "list", text: "[\n\t1,\n\t2\n]" },
      { name: "throw.@args", text: '[\n\t"x"\n]' },
      { name: "@complexityLimit", text: "12" },
    ]);
  });

  it("tells the error where nothing was computed", () => {
    expect(scriptFailure("FailedTransactionError(code = 1, error = Asset X is already issued)")).toEqual({
      error: "Asset X is already issued",
      variables: [],
    });
  });

  it("leaves any other message as it is", () => {
    expect(scriptFailure("Parse error: expected a name")).toEqual({
      error: "Parse error: expected a name",
      variables: [],
    });
  });
});
