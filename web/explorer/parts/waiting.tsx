import type { ComponentChildren, VNode } from "preact";
import type { Answer } from "../node/use-node-data.ts";

interface Props<Value> {
  readonly answer: Answer<Value>;
  readonly children: (value: Value) => ComponentChildren;
  /** Shown when the node has no such item. */
  readonly unknown?: ComponentChildren;
}

/** Content of a response; until it arrives a waiting mark, or its error. */
export function Waiting<Value>({ answer, children, unknown }: Props<Value>): VNode {
  switch (answer.is) {
    case "here":
      return <>{children(answer.value)}</>;
    case "awaited":
      return (
        <p class="awaited" aria-busy="true">
          Asking the node…
        </p>
      );
    case "unknown":
      return <div class="nothing">{unknown ?? answer.message}</div>;
    case "refused":
      return <Fault>{answer.message}</Fault>;
  }
}

/** Error message. */
export function Fault({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <p class="fault" role="alert">
      {children}
    </p>
  );
}

/** Text for an empty list. */
export function Nothing({ children }: { readonly children: ComponentChildren }): VNode {
  return <p class="nothing">{children}</p>;
}
