import { useEffect, useState } from "preact/hooks";
import { errorText } from "./node-request.ts";

export interface PagedList<Item> {
  /** Undefined before the first page. */
  readonly items: readonly Item[] | undefined;
  readonly hasMore: boolean;
  readonly error: string | undefined;
  readonly more: () => void;
}

/**
 * List read page by page. While only the first page is shown, it follows the chain.
 * @param key of the list; another key starts over
 * @param version of the state
 * @param load gives the page after an item; after a full page there may be more
 */
export function usePagedList<Item>(
  key: string,
  version: unknown,
  pageItems: number,
  load: (after: Item | undefined) => Promise<readonly Item[]>,
): PagedList<Item> {
  const [pages, setPages] = useState<readonly (readonly Item[])[]>([]);
  const [error, setFault] = useState<string>();
  const isFollowing = pages.length < 2;
  useEffect(() => {
    let isCurrent = isFollowing;
    load(undefined).then(
      (page) => {
        if (!isCurrent) return;
        setFault(undefined);
        setPages([page]);
      },
      (error: unknown) => isCurrent && setFault(errorText(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, version, isFollowing]);
  const items = pages.length === 0 ? undefined : pages.flat();
  const more = (): void => {
    load(items?.at(-1)).then(
      (page) => setPages([...pages, page]),
      (error: unknown) => setFault(errorText(error)),
    );
  };
  return { items, hasMore: pages.at(-1)?.length === pageItems, error, more };
}
