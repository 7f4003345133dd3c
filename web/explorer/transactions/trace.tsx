import type { VNode } from "preact";
import { isJsonObject } from "../../../src/protocol/parse-json.ts";
import { introduceIssued } from "../node/asset-details.ts";
import type { StateChanges, TraceStep } from "../node/shapes.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { AssetLink } from "../parts/amount.tsx";
import { Variables } from "../parts/variables.tsx";
import { Changes, countChanges } from "./state-changes.tsx";

/** Scripts that a transaction ran, each with its values. Nested calls are shown below their call. */
export function Trace({ of }: { readonly of: readonly TraceStep[] }): VNode {
  return (
    <ul class="call-tree trace">
      {of.map((step, index) => (
        <Step key={index} of={step} />
      ))}
    </ul>
  );
}

function Step({ of }: { readonly of: TraceStep }): VNode {
  const hasFailed = of.result === "failure";
  const changes = isJsonObject(of.result) ? (of.result["stateChanges"] as unknown as StateChanges) : undefined;
  if (changes !== undefined) introduceIssued(changes);
  return (
    <li>
      <div class="head">
        <span class={hasFailed ? "badge failed" : "badge succeeded"}>{hasFailed ? "failed" : "passed"}</span>
        <span class="quiet">{of.type === "dApp" ? "" : `${of.type} `}</span>
        {of.type === "asset" ? <AssetLink of={of.id} /> : <AccountLink of={of.id} />}
        {of.function !== undefined && (
          <span class="call-text">
            <b>{of.function}</b>({of.args?.join(", ")})
          </span>
        )}
        {of.context !== undefined && <span class="quiet">for {of.context}</span>}
      </div>
      {hasFailed && <p class="fault">{of.error ?? "The script refused."}</p>}
      {changes !== undefined && countChanges(changes) > 0 && <Changes of={changes} />}
      {of.vars !== undefined && of.vars.length > 0 && (
        <details class="values" open={hasFailed}>
          <summary>Values</summary>
          <Variables of={of.vars} />
        </details>
      )}
      {of.invocations !== undefined && of.invocations.length > 0 && <Trace of={of.invocations} />}
    </li>
  );
}
