import type { VNode } from "preact";
import type { Call, Payment, StateChanges } from "../node/shapes.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { CallText, Payments } from "./call-text.tsx";
import { Changes, countChanges } from "./state-changes.tsx";

interface Props {
  readonly dApp: string;
  readonly call: Call | null | undefined;
  readonly payment: readonly Payment[];
  readonly changes: StateChanges;
}

/** A call with its changes and, below it, the calls it made, in order. */
export function CallTree(root: Props): VNode {
  return (
    <ul class="call-tree">
      <Node {...root} />
    </ul>
  );
}

function Node({ dApp, call, payment, changes }: Props): VNode {
  const isEmpty = countChanges(changes) === 0 && changes.invokes.length === 0 && changes.error === undefined;
  return (
    <li>
      <div class="head">
        <AccountLink of={dApp} />
        <CallText of={call} />
        {payment.length > 0 && (
          <span class="with">
            with <Payments of={payment} />
          </span>
        )}
      </div>
      {changes.error !== undefined && (
        <p class="fault">
          {changes.error.text} <span class="quiet">({errorName(changes.error.code)})</span>
        </p>
      )}
      <Changes of={changes} />
      {isEmpty && <p class="quiet">changes nothing</p>}
      {changes.invokes.length > 0 && (
        <ul class="call-tree">
          {changes.invokes.map((inner, index) => (
            <Node
              key={index}
              dApp={inner.dApp}
              call={inner.call}
              payment={inner.payment}
              changes={inner.stateChanges}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

/** @source docs/protocol/rest-api.md 3.7 */
const errorNames: Readonly<Record<string, string>> = {
  1: "the dApp's script",
  2: "the fee is too small for what the script does",
  3: "an asset's script refused an action",
  4: "an asset's script refused a payment",
};

function errorName(code: bigint): string {
  return errorNames[String(code)] ?? `error ${code}`;
}
