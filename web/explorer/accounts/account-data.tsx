import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { fetchItems } from "../node/fetch-items.ts";
import type { DataEntry } from "../node/shapes.ts";
import { useLoaded } from "../node/use-node-data.ts";
import { Card } from "../parts/card.tsx";
import { Nothing, Waiting } from "../parts/waiting.tsx";
import { DataEntries } from "../transactions/data-entries.tsx";
import type { AccountPart } from "./account-part.ts";

/** Limit of shown entries: a dApp may have a hundred thousand. */
const maxEntries = 500;
const pageEntries = 50;
/** Pause after the last key stroke before the search runs. */
const pauseMs = 250;

/** Data entries of an account. The node runs the search, over all of them. */
export function AccountData({ address, tipId }: AccountPart): VNode {
  const [typed, setTyped] = useState("");
  const [isPattern, setPattern] = useState(false);
  const [count, setCount] = useState(pageEntries);
  const sought = useRested(typed);
  const path = `/addresses/data/${address}${sought === "" ? "" : `?matches=${encodeURIComponent(matches(sought, isPattern))}`}`;
  const response = useLoaded((signal) => fetchItems<DataEntry>(path, maxEntries, signal), path, tipId);
  return (
    <Card
      title="Data"
      aside={
        response.is === "here" &&
        `${response.value.items.length.toLocaleString("en")}${response.value.isWhole ? "" : "+"}`
      }
    >
      {/* biome-ignore lint/a11y/useSemanticElements: the element `search` is too young */}
      <form class="filter" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          aria-label="Search in keys"
          placeholder={isPattern ? "Regular expression for the whole key" : "Search in keys"}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <label class="check">
          <input type="checkbox" checked={isPattern} onChange={() => setPattern(!isPattern)} /> regular expression
        </label>
      </form>
      <Waiting loadable={response}>
        {({ items, isWhole }) => (
          <>
            {items.length === 0 ? (
              <Nothing>{sought === "" ? "The account has no data." : "No key is like this."}</Nothing>
            ) : (
              <DataEntries of={items.slice(0, count)} />
            )}
            {items.length > count && (
              <button type="button" class="more" onClick={() => setCount(count + pageEntries)}>
                More ({items.length - count}
                {isWhole ? "" : "+"})
              </button>
            )}
            {!isWhole && items.length <= count && (
              <p class="quiet note">There are more than these {maxEntries}: a search finds the others.</p>
            )}
          </>
        )}
      </Waiting>
    </Card>
  );
}

/** Pattern for `?matches=`, which must match a whole key. */
function matches(text: string, isPattern: boolean): string {
  return isPattern ? text : `.*${text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}.*`;
}

/** The text after a pause in typing. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
