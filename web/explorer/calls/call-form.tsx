import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { errorText, post } from "../node/node-request.ts";
import type { Call, Parameter } from "../node/shapes.ts";
import { ErrorMessage } from "../parts/waiting.tsx";
import { integerText } from "../text/amount-text.ts";
import { ArgumentField } from "./argument-field.tsx";
import { parseArgument } from "./call-arguments.ts";
import { type Evaluated, Evaluation } from "./evaluation.tsx";
import { emptyPayment, PaymentFields, parsePayments, type TypedPayment } from "./payment-fields.tsx";
import type { ReadCall } from "./read-call.ts";
import { SignForm } from "./sign-form.tsx";

interface Props {
  readonly dApp: string;
  readonly callables: Readonly<Record<string, readonly Parameter[]>>;
  readonly complexities: Readonly<Record<string, bigint>>;
}

/** Form for calling one of a dApp's callable functions. */
export function CallForm({ dApp, callables, complexities }: Props): VNode {
  const names = Object.keys(callables);
  const [chosen, setChosen] = useState(names[0] ?? "");
  const name = names.includes(chosen) ? chosen : (names[0] ?? "");
  return (
    <div class="call-form">
      <ul class="callables" aria-label="Functions">
        {names.map((one) => (
          <li key={one}>
            <button type="button" aria-pressed={one === name} onClick={() => setChosen(one)}>
              <b>{one}</b>
              <span class="quiet">({callables[one]?.map((parameter) => parameter.name).join(", ")})</span>
            </button>
          </li>
        ))}
      </ul>
      <OneCall
        key={name}
        dApp={dApp}
        name={name}
        parameters={callables[name] ?? []}
        complexity={complexities[name] ?? 0n}
      />
    </div>
  );
}

interface OneProps {
  readonly dApp: string;
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly complexity: bigint;
}

type State =
  | { readonly is: "idle" | "asking" }
  | { readonly is: "here"; readonly evaluated: Evaluated; readonly request: ReadCall }
  | { readonly is: "fault"; readonly message: string };

function OneCall({ dApp, name, parameters, complexity }: OneProps): VNode {
  const [typed, setTyped] = useState<readonly string[]>(() =>
    parameters.map(({ type }) => (type === "Boolean" ? "false" : "")),
  );
  const [payments, setPayments] = useState<readonly TypedPayment[]>([]);
  const [sender, setSender] = useState("");
  const [state, setState] = useState<State>({ is: "idle" });

  /** @throws ArgumentError */
  const read = async (): Promise<ReadCall> => {
    const args = parameters.map(({ type }, index) => parseArgument(type, typed[index] ?? ""));
    return { call: { function: name, args }, payment: await parsePayments(payments) };
  };
  const evaluate = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setState({ is: "asking" });
    try {
      const call = await read();
      const request = {
        call: { function: name, args: call.call.args },
        payment: call.payment.map(({ assetId, amount }) => ({ assetId, amount })),
        ...(sender.trim() === "" ? {} : { sender: sender.trim() }),
      };
      const evaluated = await post<Evaluated>(`/utils/script/evaluate/${dApp}?trace=true`, request);
      setState({ is: "here", evaluated, request: call });
    } catch (error) {
      setState({ is: "fault", message: errorText(error) });
    }
  };

  return (
    <div class="one-call">
      <form class="stack" onSubmit={(event) => void evaluate(event)}>
        {parameters.map((parameter, index) => (
          <ArgumentField
            key={parameter.name}
            parameter={parameter}
            typed={typed[index] ?? ""}
            onTyped={(text) => setTyped(typed.map((before, at) => (at === index ? text : before)))}
          />
        ))}
        {parameters.length === 0 && <p class="quiet">Takes no arguments.</p>}
        <PaymentFields payments={payments} onChange={setPayments} />
        <label>
          <span>
            Sender <span class="quiet">an address; empty: anonymous</span>
          </span>
          <input
            value={sender}
            onInput={(event) => setSender(event.currentTarget.value)}
            spellcheck={false}
            autocomplete="off"
            placeholder="3…"
          />
        </label>
        <div class="row actions">
          <button type="submit" class="primary" disabled={state.is === "asking"}>
            Evaluate
          </button>
          <button type="button" onClick={() => setPayments([...payments, emptyPayment])}>
            Add a payment
          </button>
          <span class="quiet">estimated complexity {integerText(complexity)}</span>
        </div>
      </form>
      <div aria-live="polite">
        {state.is === "fault" && <ErrorMessage>{state.message}</ErrorMessage>}
        {state.is === "here" && (
          <Evaluation
            of={state.evaluated}
            dApp={dApp}
            call={state.request.call as Call}
            payment={state.request.payment}
          />
        )}
      </div>
      <SignForm dApp={dApp} read={read} />
    </div>
  );
}
