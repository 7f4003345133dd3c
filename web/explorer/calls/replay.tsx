import type { VNode } from "preact";
import type { JsonValue } from "../../../src/protocol/json.ts";
import { post } from "../node/node-request.ts";
import type { Call, Payment, Transaction } from "../node/shapes.ts";
import { useLoaded } from "../node/use-node-data.ts";
import { Waiting } from "../parts/waiting.tsx";
import { type Evaluated, Evaluation } from "./evaluation.tsx";

interface Props {
  readonly tx: Transaction;
  readonly dApp: string;
  readonly call: Call | null | undefined;
  readonly payment: readonly Payment[];
}

/**
 * The same call run on the current state, with all values that its script computes. The chain stores a call's effects
 * but not the intermediate values. The transaction's id is left out, because the assets and leases that it created
 * would already exist.
 */
export function Replay({ tx, dApp, call, payment }: Props): VNode {
  const request = {
    ...(call == null ? {} : { call: call as unknown as JsonValue }),
    ...(tx.senderPublicKey === undefined || tx.payload !== undefined ? {} : { senderPublicKey: tx.senderPublicKey }),
    ...(tx.sender === undefined ? {} : { sender: tx.sender }),
    payment: payment as unknown as JsonValue,
  };
  const response = useLoaded(() => post<Evaluated>(`/utils/script/evaluate/${dApp}?trace=true`, request), tx.id);
  return (
    <>
      <p class="quiet note">On the state as it is now, which may have changed since: the chain keeps no values.</p>
      <Waiting loadable={response}>
        {(evaluated) => <Evaluation of={evaluated} dApp={dApp} call={call} payment={payment} />}
      </Waiting>
    </>
  );
}
