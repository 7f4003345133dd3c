import type { VNode } from "preact";
import { useChain } from "../node/chain-feed.ts";
import { integerText } from "../text/amount-text.ts";
import { paths, useLocation } from "./page-location.ts";
import { SearchBox } from "./search-box.tsx";
import { ThemeSwitch } from "./theme.tsx";

const links = [
  { label: "Blocks", href: paths.blocks() },
  { label: "Generators", href: paths.generators },
  { label: "Check", href: paths.check },
] as const;

/** Name, search box and height of the chain. */
export function TopLine(): VNode {
  const { segments } = useLocation();
  return (
    <header class="top-line">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="inner">
        <a class="brand" href={paths.home} aria-label="Explorer, start">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect x="6.1" y="6.1" width="19.8" height="19.8" rx="4" transform="rotate(45 16 16)" />
            <path d="M9 17.4c2.3 0 2.3-2.8 4.7-2.8s2.3 2.8 4.6 2.8 2.4-2.8 4.7-2.8" />
          </svg>
          <span>Explorer</span>
        </a>
        <SearchBox />
        <nav aria-label="Places">
          {links.map(({ label, href }) => (
            <a key={href} href={href} aria-current={href.endsWith(`/${segments[0]}`) ? "page" : undefined}>
              {label}
            </a>
          ))}
          <a href="/api-docs/index.html" class="api-link">
            API
          </a>
        </nav>
        <Pulse />
        <ThemeSwitch />
      </div>
    </header>
  );
}

function Pulse(): VNode {
  const chain = useChain();
  const isReached = chain?.isReached ?? true;
  const text = chain === undefined ? "…" : integerText(chain.height);
  const title = isReached ? "Height of the chain" : "The node does not respond";
  return (
    <a
      class={isReached ? "pulse" : "pulse lost"}
      href={chain === undefined ? paths.home : paths.block(chain.height)}
      title={title}
    >
      <i aria-hidden="true" key={chain?.tipId} />
      <span class="hidden-text">{title}: </span>
      {text}
    </a>
  );
}
