import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  /** Part of the window's title. */
  readonly name: string;
  readonly kind?: string;
  readonly children?: ComponentChildren;
  readonly before?: ComponentChildren;
}

/** Heading of a view. It takes the focus, so that screen readers announce the view. */
export function Title({ name, kind, children, before }: Props): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${kind === undefined ? name : `${kind} ${name}`} · Explorer`;
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (!isTyping) heading.current?.focus({ preventScroll: true });
  }, [name, kind]);
  return (
    <div class="title">
      {before}
      <div>
        {kind !== undefined && <p class="kind">{kind}</p>}
        <h1 ref={heading} tabIndex={-1}>
          {children ?? name}
        </h1>
      </div>
    </div>
  );
}
