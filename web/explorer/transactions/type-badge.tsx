import type { VNode } from "preact";
import type { Transaction } from "../node/shapes.ts";
import { typeFace } from "./transaction-type.ts";

export function TypeBadge({ of }: { readonly of: Pick<Transaction, "type"> }): VNode {
  const { name, family } = typeFace(of.type);
  return <span class={`badge ${family}`}>{name}</span>;
}

/** Badge of a transaction's status. Nothing when the node gives no status. */
export function StatusBadge({
  of,
  always = false,
}: {
  readonly of: Transaction;
  readonly always?: boolean;
}): VNode | null {
  switch (of.applicationStatus) {
    case "script_execution_failed":
      return <span class="badge failed">Failed</span>;
    case "elided":
      return <span class="badge failed">Elided</span>;
    case "succeeded":
      return always ? <span class="badge succeeded">Succeeded</span> : null;
    default:
      return null;
  }
}
