import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Variable } from "../node/shapes.ts";
import { RideValue } from "./ride-value.tsx";
import { Nothing } from "./waiting.tsx";

const pageSize = 100;

/**
 * Values of a script in order of computation. Entries that the evaluator adds (arguments and cost of each function
 * call, complexity left) are shown on request.
 */
export function Variables({ of }: { readonly of: readonly Variable[] }): VNode {
  const [hasAll, setAll] = useState(false);
  const [count, setCount] = useState(pageSize);
  const own = of.filter(({ name }) => !isOfEvaluator(name));
  const list = hasAll ? of : own;
  if (of.length === 0) return <Nothing>No values were computed.</Nothing>;
  return (
    <div class="variables">
      {own.length < of.length && (
        <label class="check">
          <input type="checkbox" checked={hasAll} onChange={() => setAll(!hasAll)} /> also arguments and costs of
          functions ({of.length - own.length})
        </label>
      )}
      <ol>
        {list.slice(0, count).map((variable, index) => (
          <li key={index} class={isOfEvaluator(variable.name) ? "of-evaluator" : undefined}>
            <span class="v-name">{variable.name}</span>
            <VariableValue of={variable} />
          </li>
        ))}
      </ol>
      {list.length > count && (
        <button type="button" class="more" onClick={() => setCount(count + pageSize)}>
          More ({list.length - count})
        </button>
      )}
    </div>
  );
}

function VariableValue({ of }: { readonly of: Variable }): VNode {
  if (of.error !== undefined) return <span class="v-error">{of.error}</span>;
  if (of.text !== undefined) return <span class="v-lines">{of.text}</span>;
  return (
    <span>
      <RideValue type={of.type} value={of.value ?? null} />
    </span>
  );
}

/** True for `f.@args`, `f.@complexity`, `@complexityLimit`, and compiler-generated names. */
function isOfEvaluator(name: string): boolean {
  return name.includes("@") || name.startsWith("$");
}
