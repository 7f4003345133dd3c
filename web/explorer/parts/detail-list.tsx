import type { ComponentChildren, VNode } from "preact";

/** List of names and values. An entry without a value is left out. */
export function DetailList({ children }: { readonly children: ComponentChildren }): VNode {
  return <dl class="facts">{children}</dl>;
}

export function Detail({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): VNode | null {
  if (children === undefined || children === null || children === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
