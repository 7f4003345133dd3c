import type { VNode } from "preact";
import { postText } from "../node/node-request.ts";
import { useLoaded } from "../node/use-node-data.ts";
import { CopyButton } from "../parts/id.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { rideTokens } from "./ride-tokens.ts";

interface Decompiled {
  readonly script: string;
}

/** Decompiled source of a script: names are the author's, the form is the decompiler's. @param of base64 */
export function ScriptText({ of }: { readonly of: string }): VNode {
  const response = useLoaded(() => postText<Decompiled>("/utils/script/decompile", of, "text/plain"), of);
  return (
    <Waiting loadable={response}>
      {({ script }) => (
        <div class="code-box">
          <CopyButton text={script} />
          <pre class="ride">
            <code>
              {script.split("\n").map((line, index) => (
                <span key={index} class="line">
                  {rideTokens(line).map(({ kind, text }, index) =>
                    kind === "plain" ? (
                      text
                    ) : (
                      <span key={index} class={`t-${kind}`}>
                        {text}
                      </span>
                    ),
                  )}
                  {"\n"}
                </span>
              ))}
            </code>
          </pre>
        </div>
      )}
    </Waiting>
  );
}
