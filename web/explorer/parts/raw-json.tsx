import type { VNode } from "preact";
import { type JsonValue, jsonText } from "../../../src/protocol/json.ts";
import { indentJson } from "../../api-docs/indent-json.ts";
import { CopyButton } from "./id.tsx";

/** The response as JSON, with every digit. */
export function RawJson({ of }: { readonly of: unknown }): VNode {
  return (
    <details class="raw card">
      <summary>
        <h2>JSON</h2>
      </summary>
      <RawText of={of} />
    </details>
  );
}

function RawText({ of }: { readonly of: unknown }): VNode {
  const text = indentJson(jsonText(of as JsonValue));
  return (
    <div class="code-box">
      <CopyButton text={text} />
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}
