import type { ComponentChildren, VNode } from "preact";
import type { Pages } from "../node/use-paged-list.ts";
import { Fault, Nothing } from "./waiting.tsx";

interface Props<Item> {
  readonly pages: Pages<Item>;
  readonly nothing: string;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

/** The loaded items, and a button for more. */
export function Paged<Item>({ pages, nothing, children }: Props<Item>): VNode {
  const { items, hasMore, fault, more } = pages;
  return (
    <>
      {items === undefined && fault === undefined && (
        <p class="awaited" aria-busy="true">
          Asking the node…
        </p>
      )}
      {items?.length === 0 && <Nothing>{nothing}</Nothing>}
      {items !== undefined && items.length > 0 && children(items)}
      {fault !== undefined && <Fault>{fault}</Fault>}
      {hasMore && (
        <button type="button" class="more" onClick={more}>
          More
        </button>
      )}
    </>
  );
}
