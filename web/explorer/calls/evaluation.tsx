import type { VNode } from "preact";
import { isJsonObject, type ParsedJson } from "../../../src/protocol/parse-json.ts";
import { introduceIssued } from "../node/asset-details.ts";
import type { Call, Payment, StateChanges, Variable } from "../node/shapes.ts";
import { RideValue } from "../parts/ride-value.tsx";
import { Variables } from "../parts/variables.tsx";
import { ErrorMessage } from "../parts/waiting.tsx";
import { integerText } from "../text/amount-text.ts";
import { CallTree } from "../transactions/call-tree.tsx";
import { countChanges } from "../transactions/state-changes.tsx";
import { scriptFailure } from "./script-failure.ts";

/** Result of an evaluation, or the error. @source docs/protocol/rest-api.md 3.15 */
export interface Evaluated {
  readonly result?: ParsedJson;
  readonly complexity?: bigint;
  readonly stateChanges?: StateChanges;
  readonly error?: bigint;
  readonly message?: string;
  readonly vars?: readonly Variable[];
}

interface Props {
  readonly of: Evaluated;
  readonly dApp: string;
  /** Undefined for an expression. */
  readonly call?: Call | null | undefined;
  readonly payment?: readonly Payment[];
}

export function Evaluation({ of, dApp, call, payment = [] }: Props): VNode {
  const { result, complexity, stateChanges, message } = of;
  if (stateChanges !== undefined) introduceIssued(stateChanges);
  const failure = message === undefined ? undefined : scriptFailure(message);
  const vars = of.vars ?? failure?.variables ?? [];
  const hasChanges = stateChanges !== undefined && countChanges(stateChanges) + stateChanges.invokes.length > 0;
  return (
    <div class="evaluation">
      {failure !== undefined && <ErrorMessage>{failure.error}</ErrorMessage>}
      {result !== undefined && (
        <div class="result">
          <h3>
            Value
            {complexity !== undefined && <span class="quiet"> for {integerText(complexity)} of complexity</span>}
          </h3>
          <Value of={result} isCall={call !== undefined} />
        </div>
      )}
      {hasChanges && (
        <>
          <h3>What it would change</h3>
          <CallTree dApp={dApp} call={call} payment={payment} changes={stateChanges} />
        </>
      )}
      {vars.length > 0 && (
        <details class="values" open={failure !== undefined}>
          <summary>Values on the way</summary>
          <Variables of={vars} />
        </details>
      )}
    </div>
  );
}

/** Result of an evaluation. A call gives its actions, or a pair of actions and value; `Changes` shows the actions. */
function Value({ of, isCall }: { readonly of: ParsedJson; readonly isCall: boolean }): VNode {
  if (!isJsonObject(of)) return <span>{String(of)}</span>;
  const pair = of["type"] === "Tuple" && isJsonObject(of["value"]) ? of["value"]["_2"] : undefined;
  const shown = isCall && isJsonObject(pair) ? pair : of;
  if (isCall && shown === of && of["type"] === "Array") return <span class="v-type">none: actions alone</span>;
  return <RideValue type={String(shown["type"])} value={shown["value"] ?? null} />;
}
