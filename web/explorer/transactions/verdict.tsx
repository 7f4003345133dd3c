import type { VNode } from "preact";
import type { JsonValue } from "../../../src/protocol/json.ts";
import { post } from "../node/node-request.ts";
import type { TraceStep, Transaction } from "../node/shapes.ts";
import { useLoaded } from "../node/use-node-data.ts";
import { Nothing, Waiting } from "../parts/waiting.tsx";
import { Trace } from "./trace.tsx";

interface ValidationResult {
  readonly valid: boolean;
  readonly error?: string;
  readonly trace: readonly TraceStep[];
}

/** Validation of a transaction by the node, with the scripts that it runs and their values. */
export function Verdict({ of }: { readonly of: Transaction | JsonValue }): VNode {
  const response = useLoaded(() => post<ValidationResult>("/debug/validate", of as unknown as JsonValue), "", of);
  return (
    <Waiting loadable={response}>
      {({ valid, error, trace }) => (
        <>
          <p class="verdict">
            {valid ? <span class="badge succeeded">Valid</span> : <span class="badge failed">Not valid</span>}{" "}
            {error !== undefined && <span class="error-text">{error}</span>}
          </p>
          {trace.length === 0 ? <Nothing>No script was run.</Nothing> : <Trace of={trace} />}
        </>
      )}
    </Waiting>
  );
}
