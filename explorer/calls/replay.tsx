import type { VNode } from "preact";
import type { JsonValue } from "../../src/protocol/json.ts";
import { post } from "../node/ask.ts";
import type { Call, Payment, Transaction } from "../node/shapes.ts";
import { useLoaded } from "../node/use-answer.ts";
import { Waiting } from "../parts/waiting.tsx";
import { type Evaluated, Evaluation } from "./evaluation.tsx";

interface Props {
  readonly tx: Transaction;
  readonly dApp: string;
  readonly call: Call | null | undefined;
  readonly payment: readonly Payment[];
}

/**
 * The same call on the state as it is now, with all that its script computes. The chain keeps what a call did, not the values
 * on the way; without the transaction's id, or what it issued then would be there already.
 */
export function Replay({ tx, dApp, call, payment }: Props): VNode {
  const question = {
    ...(call == null ? {} : { call: call as unknown as JsonValue }),
    ...(tx.senderPublicKey === undefined || tx.payload !== undefined ? {} : { senderPublicKey: tx.senderPublicKey }),
    ...(tx.sender === undefined ? {} : { sender: tx.sender }),
    payment: payment as unknown as JsonValue,
  };
  const answer = useLoaded(() => post<Evaluated>(`/utils/script/evaluate/${dApp}?trace=true`, question), tx.id);
  return (
    <>
      <p class="quiet note">On the state as it is now, which may have changed since: the chain keeps no values.</p>
      <Waiting answer={answer}>
        {(evaluated) => <Evaluation of={evaluated} dApp={dApp} call={call} payment={payment} />}
      </Waiting>
    </>
  );
}
