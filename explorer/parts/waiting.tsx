import type { ComponentChildren, VNode } from "preact";
import type { Answer } from "../node/use-answer.ts";

interface Props<Value> {
  readonly answer: Answer<Value>;
  readonly children: (value: Value) => ComponentChildren;
  /** What is said where the node has no such thing. */
  readonly unknown?: ComponentChildren;
}

/** An answer once it is there; until then that it is awaited, or why there is none. */
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

/** Something that went wrong, in words. */
export function Fault({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <p class="fault" role="alert">
      {children}
    </p>
  );
}

/** That a list is empty. */
export function Nothing({ children }: { readonly children: ComponentChildren }): VNode {
  return <p class="nothing">{children}</p>;
}
