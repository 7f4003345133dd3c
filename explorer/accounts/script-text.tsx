import type { VNode } from "preact";
import { postText } from "../node/ask.ts";
import { useLoaded } from "../node/use-answer.ts";
import { CopyButton } from "../parts/id.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { rideTokens } from "./ride-tokens.ts";

interface Decompiled {
  readonly script: string;
}

/** A script as source again. Names of what it computes are its author's; the form is the decompiler's. @param of base64 */
export function ScriptText({ of }: { readonly of: string }): VNode {
  const answer = useLoaded(() => postText<Decompiled>("/utils/script/decompile", of, "text/plain"), of);
  return (
    <Waiting answer={answer}>
      {({ script }) => (
        <div class="code-box">
          <CopyButton text={script} />
          <pre class="ride">
            <code>
              {script.split("\n").map((line, index) => (
                <span key={index} class="line">
                  {rideTokens(line).map(({ kind, text }, place) =>
                    kind === "plain" ? (
                      text
                    ) : (
                      <span key={place} class={`t-${kind}`}>
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
