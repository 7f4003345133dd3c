import type { VNode } from "preact";
import { paths } from "../frame/page-location.ts";
import { blockId } from "../node/chain-feed.ts";
import type { Header } from "../node/shapes.ts";
import { integerText } from "../text/amount-text.ts";
import { AccountLink } from "./account-link.tsx";
import { Id } from "./id.tsx";
import { TimeAgo } from "./time-ago.tsx";

/** List of blocks, a row each. */
export function BlockList({ of }: { readonly of: readonly Header[] }): VNode {
  return (
    <ul class="rows blocks">
      {of.map((header) => (
        <li key={String(header.height)}>
          <a class="height" href={paths.block(header.height)}>
            {integerText(header.height)}
          </a>
          <span class={header.transactionCount > 0n ? "count full" : "count"}>
            {integerText(header.transactionCount)} <span class="quiet">tx</span>
          </span>
          <span class="block-id">
            <Id value={blockId(header)} />
          </span>
          <span class="generator">
            <AccountLink of={header.generator} />
          </span>
          <span class="quiet when">
            <TimeAgo of={header.timestamp} />
          </span>
        </li>
      ))}
    </ul>
  );
}
