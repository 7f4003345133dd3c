import { useEffect, useState } from "preact/hooks";
import { errorText } from "./ask.ts";

export interface Pages<Item> {
  /** undefined: the first page is awaited. */
  readonly items: readonly Item[] | undefined;
  readonly hasMore: boolean;
  readonly fault: string | undefined;
  readonly more: () => void;
}

/**
 * A list that is read a page at a time. While only the first page is shown it follows the chain.
 * @param key of the list: another one begins anew
 * @param version of the state
 * @param load gives the page behind an item; a full page has more behind it
 */
export function usePages<Item>(
  key: string,
  version: unknown,
  pageItems: number,
  load: (after: Item | undefined) => Promise<readonly Item[]>,
): Pages<Item> {
  const [pages, setPages] = useState<readonly (readonly Item[])[]>([]);
  const [fault, setFault] = useState<string>();
  const isFollowing = pages.length < 2;
  useEffect(() => {
    let isWanted = isFollowing;
    load(undefined).then(
      (page) => {
        if (!isWanted) return;
        setFault(undefined);
        setPages([page]);
      },
      (error: unknown) => isWanted && setFault(errorText(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [key, version, isFollowing]);
  const items = pages.length === 0 ? undefined : pages.flat();
  const more = (): void => {
    load(items?.at(-1)).then(
      (page) => setPages([...pages, page]),
      (error: unknown) => setFault(errorText(error)),
    );
  };
  return { items, hasMore: pages.at(-1)?.length === pageItems, fault, more };
}
