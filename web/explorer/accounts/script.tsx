import type { VNode } from "preact";
import { CallForm } from "../calls/call-form.tsx";
import { ExpressionForm } from "../calls/expression-form.tsx";
import type { ScriptInfo, ScriptMeta } from "../node/shapes.ts";
import { useNodeData } from "../node/use-node-data.ts";
import { Card } from "../parts/card.tsx";
import { Detail, DetailList } from "../parts/detail-list.tsx";
import { Nothing, Waiting } from "../parts/waiting.tsx";
import { integerText } from "../text/amount-text.ts";
import type { AccountPart } from "./account-part.ts";
import { ScriptText } from "./script-text.tsx";

/** An account's script: its callable functions and its source. */
export function Script({ address, tipId }: AccountPart): VNode {
  const info = useNodeData<ScriptInfo>(`/addresses/scriptInfo/${address}`, tipId);
  const meta = useNodeData<ScriptMeta>(`/addresses/scriptInfo/${address}/meta`, tipId);
  return (
    <Waiting loadable={info}>
      {(script) => {
        if (script.script === null) {
          return (
            <Card title="Script">
              <Nothing>The account has none: its signature alone decides.</Nothing>
            </Card>
          );
        }
        const callables = meta.is === "here" ? meta.value.meta?.callableFuncTypes : undefined;
        return (
          <>
            {callables !== undefined && (
              <Card title="Call it" aside="read only, until you sign">
                <CallForm dApp={address} callables={callables} complexities={script.callableComplexities} />
              </Card>
            )}
            {callables !== undefined && (
              <Card title="Ask it" aside="read only">
                <ExpressionForm dApp={address} />
              </Card>
            )}
            <Card title="Script">
              <DetailList>
                <Detail name="Version">{String(script.version)}</Detail>
                <Detail name="Complexity">{integerText(script.complexity)}</Detail>
                <Detail name="Verifier">
                  {script.verifierComplexity > 0n
                    ? integerText(script.verifierComplexity)
                    : "none: a signature decides"}
                </Detail>
              </DetailList>
              <ScriptText of={script.script} />
            </Card>
          </>
        );
      }}
    </Waiting>
  );
}
