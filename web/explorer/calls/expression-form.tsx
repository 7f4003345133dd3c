import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { errorText, post } from "../node/node-request.ts";
import { ErrorMessage } from "../parts/waiting.tsx";
import { type Evaluated, Evaluation } from "./evaluation.tsx";

type State =
  | { readonly is: "idle" | "asking" }
  | { readonly is: "here"; readonly evaluated: Evaluated }
  | { readonly is: "fault"; readonly message: string };

/** Form for an expression evaluated in the dApp's script. */
export function ExpressionForm({ dApp }: { readonly dApp: string }): VNode {
  const [state, setState] = useState<State>({ is: "idle" });
  const evaluate = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const expr = String(new FormData(event.currentTarget as HTMLFormElement).get("expr"));
    setState({ is: "asking" });
    try {
      setState({ is: "here", evaluated: await post<Evaluated>(`/utils/script/evaluate/${dApp}`, { expr }) });
    } catch (error) {
      setState({ is: "fault", message: errorText(error) });
    }
  };
  return (
    <form class="stack" onSubmit={(event) => void evaluate(event)}>
      <label for="expr">An expression in Ride; it sees the script's own names</label>
      <div class="row">
        <input
          id="expr"
          name="expr"
          required
          spellcheck={false}
          autocomplete="off"
          placeholder='this.getInteger("key")'
        />
        <button type="submit" class="primary" disabled={state.is === "asking"}>
          Evaluate
        </button>
      </div>
      <div aria-live="polite">
        {state.is === "here" && <Evaluation of={state.evaluated} dApp={dApp} />}
        {state.is === "fault" && <ErrorMessage>{state.message}</ErrorMessage>}
      </div>
    </form>
  );
}
