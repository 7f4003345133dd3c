import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { integerText } from "../text/amount-text.ts";

const pageRows = 100;

/** The first rows, and a button for more. */
export function GrowingList({ children }: { readonly children: readonly VNode[] }): VNode {
  const [count, setCount] = useState(pageRows);
  return (
    <>
      <ul class="rows endorsers">{children.slice(0, count)}</ul>
      {children.length > count && (
        <button type="button" class="more" onClick={() => setCount(count + pageRows)}>
          More ({integerText(BigInt(children.length - count))})
        </button>
      )}
    </>
  );
}
