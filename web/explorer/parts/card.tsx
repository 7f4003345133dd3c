import type { ComponentChildren, VNode } from "preact";

interface Props {
  readonly title?: ComponentChildren;
  /** Content next to the title. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Card({ title, aside, children }: Props): VNode {
  return (
    <section class="card">
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {aside !== undefined && <div class="aside">{aside}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
