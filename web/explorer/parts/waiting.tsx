import type { ComponentChildren, VNode } from "preact";
import type { Loadable } from "../node/use-node-data.ts";

interface Props<Value> {
  readonly loadable: Loadable<Value>;
  readonly children: (value: Value) => ComponentChildren;
  /** Shown when the node has no such item. */
  readonly unknown?: ComponentChildren;
}

/** Content of a response; until it arrives a waiting mark, or its error. */
export function Waiting<Value>({ loadable, children, unknown }: Props<Value>): VNode {
  switch (loadable.is) {
    case "here":
      return <>{children(loadable.value)}</>;
    case "awaited":
      return (
        <p class="awaited" aria-busy="true">
          Asking the node…
        </p>
      );
    case "unknown":
      return <div class="nothing">{unknown ?? loadable.message}</div>;
    case "refused":
      return <ErrorMessage>{loadable.message}</ErrorMessage>;
  }
}

/** Error message. */
export function ErrorMessage({ children }: { readonly children: ComponentChildren }): VNode {
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
