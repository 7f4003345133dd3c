/** Executed complexity of a call, known even if it is refused: limits on a client's work count by it. */
import { describe, expect, test } from "vitest";
import { RuleError } from "../../../../src/protocol/errors.ts";
import type { Effort } from "../../../../src/rules/transactions/block-context.ts";
import { compiled, expensive, invoke, world } from "../../../support/builders/dapps.ts";

/** Complexity of about 8,700. */
const heavy = expensive(48);

describe("the complexity of a call", () => {
  const state = world({
    dApp: compiled(
      6,
      `@Callable(i)
       func heavy() = if (${heavy}) then throw("never") else []
       @Callable(i)
       func tooMuch() = {
         strict a = invoke(this, "heavy", [], [])
         strict b = invoke(this, "heavy", [], [])
         strict c = invoke(this, "heavy", [], [])
         strict d = invoke(this, "heavy", [], [])
         strict e = invoke(this, "heavy", [], [])
         if (${expensive(50)}) then throw("never") else []
       }
       @Callable(i)
       func little() = throw("no")
       @Callable(i)
       func enough() = {
         strict a = invoke(this, "heavy", [], [])
         []
       }`,
    ),
  });

  function executed(name: string): { readonly effort: Effort; readonly refusal: RuleError | undefined } {
    const effort: Effort = { hasRun: false, complexity: 0 };
    try {
      invoke(state, { function: name, effort });
      return { effort, refusal: undefined };
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return { effort, refusal: error };
    }
  }

  test("is known if it ran out, and no block accepts the call", () => {
    const { effort, refusal } = executed("tooMuch");
    expect(refusal?.violation).toMatchObject({ message: expect.stringContaining("uncompleted") });
    expect(effort.complexity).toBeGreaterThan(51_000);
  });

  test("is known if the script ends early", () => {
    const { effort, refusal } = executed("little");
    expect(refusal?.violation.code).toBe("callRejected");
    expect(effort.complexity).toBe(1);
  });

  test("is its cost if it succeeds", () => {
    const { effort, refusal } = executed("enough");
    expect(refusal).toBeUndefined();
    expect(effort.complexity).toBeGreaterThan(8_500);
    expect(effort.complexity).toBeLessThan(9_000);
  });
});
