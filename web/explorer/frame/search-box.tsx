import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { goTo, paths } from "./page-location.ts";

/** Search box for everything with a name or a number. The key `/` focuses it. */
export function SearchBox(): VNode {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  const search = (event: Event): void => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? "";
    if (text === "") return;
    goTo(paths.search(text));
    if (input.current === null) return;
    input.current.value = "";
    // The view that is found takes the focus.
    input.current.blur();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element `search` is too young
    <form class="search-box" role="search" onSubmit={search}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="8.5" cy="8.5" r="5.5" />
        <path d="m13 13 4.5 4.5" />
      </svg>
      <input
        ref={input}
        type="search"
        aria-label="Height, block, transaction, address, alias or asset"
        placeholder="Height, id, address, alias…"
        autocomplete="off"
        spellcheck={false}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
    </form>
  );
}
