import type { VNode } from "preact";
import { paths } from "../frame/page-location.ts";
import type { Transaction } from "../node/shapes.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Id } from "../parts/id.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { Summary } from "./summary.tsx";
import { StatusBadge, TypeBadge } from "./type-badge.tsx";

/** List of transactions, a row each. New ones slide in. */
export function TransactionList({ of }: { readonly of: readonly Transaction[] }): VNode {
  return (
    <ul class="rows transactions">
      {of.map((tx) => (
        <li key={tx.id}>
          <div class="what">
            <TypeBadge of={tx} />
            <StatusBadge of={tx} />
            <Summary of={tx} />
          </div>
          <div class="who">
            <Id value={tx.id} href={paths.transaction(tx.id)} />
            {tx.sender !== undefined && (
              <span>
                by <AccountLink of={tx.sender} />
              </span>
            )}
            <span class="quiet when">
              <TimeAgo of={tx.timestamp} />
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
