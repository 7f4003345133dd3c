import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { JsonValue } from "../../../src/protocol/json.ts";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import { errorText } from "../node/node-request.ts";
import { Card } from "../parts/card.tsx";
import { Title } from "../parts/title.tsx";
import { ErrorMessage } from "../parts/waiting.tsx";
import { Verdict } from "../transactions/verdict.tsx";

type Given =
  | { readonly is: "nothing" }
  | { readonly is: "json"; readonly value: JsonValue }
  | { readonly is: "fault"; readonly message: string };

/** Validates a signed transaction without sending it, and shows the values that its scripts computed. */
export function Check(): VNode {
  const [given, setGiven] = useState<Given>({ is: "nothing" });
  const check = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get("transaction");
    setGiven(read(String(text)));
  };
  return (
    <>
      <Title name="Check a transaction" />
      <Card>
        <p>
          What would the node say of it, and why? Nothing is sent to the chain; every script that the transaction runs
          is shown with its values.
        </p>
        <form class="stack" onSubmit={check}>
          <label for="transaction">A signed transaction, as JSON</label>
          <textarea
            id="transaction"
            name="transaction"
            rows={10}
            spellcheck={false}
            placeholder={'{ "type": 16, "dApp": "3M…", "call": { … }, "proofs": ["…"] }'}
          />
          <button type="submit" class="primary">
            Check
          </button>
        </form>
      </Card>
      {given.is === "fault" && <ErrorMessage>{given.message}</ErrorMessage>}
      {given.is === "json" && (
        <Card title="Verdict">
          <Verdict of={given.value} />
        </Card>
      )}
    </>
  );
}

function read(text: string): Given {
  try {
    return { is: "json", value: parseJson(text) as JsonValue };
  } catch (error) {
    return { is: "fault", message: `This is not JSON: ${errorText(error)}` };
  }
}
