/** Client-side routing: the path below `/explorer`. Links are plain; links within the explorer load no new page. */
import { useEffect, useState } from "preact/hooks";

export const root = "/explorer";

/** Paths of the explorer's views. */
export const paths = {
  home: root,
  blocks: (before?: bigint): string => `${root}/blocks${before === undefined ? "" : `?before=${before}`}`,
  generators: `${root}/generators`,
  block: (idOrHeight: string | bigint): string => `${root}/block/${idOrHeight}`,
  transaction: (id: string): string => `${root}/transaction/${id}`,
  account: (address: string, part?: string): string =>
    `${root}/account/${address}${part === undefined ? "" : `/${part}`}`,
  asset: (id: string): string => `${root}/asset/${id}`,
  search: (text: string): string => `${root}/search?for=${encodeURIComponent(text)}`,
  check: `${root}/check`,
} as const;

export interface PageLocation {
  /** Decoded segments of the path below the root. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

const listeners = new Set<() => void>();

export function goTo(path: string): void {
  history.pushState(null, "", path);
  notify();
  scrollTo(0, 0);
}

/** Replaces the current address, without a history entry. */
export function replaceLocation(path: string): void {
  history.replaceState(null, "", path);
  notify();
}

export function useLocation(): PageLocation {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const listener = (): void => setPlace(here());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return place;
}

/** Handles clicks on links and the browser's back button. */
export function followLinks(): void {
  addEventListener("popstate", notify);
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!isPlain || event.defaultPrevented || link === null || link.target !== "") return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !isBelowRoot(url.pathname)) return;
    if (url.hash !== "" && url.pathname === location.pathname) return;
    event.preventDefault();
    goTo(url.pathname + url.search);
  });
}

function notify(): void {
  for (const listener of listeners) listener();
}

function isBelowRoot(path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

function here(): PageLocation {
  const segments = location.pathname.slice(root.length).split("/").filter(Boolean);
  return { segments: segments.map(decoded), query: new URLSearchParams(location.search) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
