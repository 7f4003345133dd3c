import type { ComponentChildren, VNode } from "preact";
import type { PagedList } from "../node/use-paged-list.ts";
import { ErrorMessage, Nothing } from "./waiting.tsx";

interface Props<Item> {
  readonly list: PagedList<Item>;
  readonly nothing: string;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

/** The loaded items, and a button for more. */
export function Paged<Item>({ list, nothing, children }: Props<Item>): VNode {
  const { items, hasMore, error, more } = list;
  return (
    <>
      {items === undefined && error === undefined && (
        <p class="awaited" aria-busy="true">
          Asking the node…
        </p>
      )}
      {items?.length === 0 && <Nothing>{nothing}</Nothing>}
      {items !== undefined && items.length > 0 && children(items)}
      {error !== undefined && <ErrorMessage>{error}</ErrorMessage>}
      {hasMore && (
        <button type="button" class="more" onClick={more}>
          More
        </button>
      )}
    </>
  );
}
