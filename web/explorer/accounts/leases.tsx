import type { VNode } from "preact";
import { paths } from "../frame/page-location.ts";
import type { Lease } from "../node/shapes.ts";
import { useNodeData } from "../node/use-node-data.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Amount } from "../parts/amount.tsx";
import { Card } from "../parts/card.tsx";
import { Id } from "../parts/id.tsx";
import { Nothing, Waiting } from "../parts/waiting.tsx";
import { integerText } from "../text/amount-text.ts";
import type { AccountPart } from "./account-part.ts";

export function Leases({ address, tipId }: AccountPart): VNode {
  const response = useNodeData<readonly Lease[]>(`/leasing/active/${address}`, tipId);
  return (
    <Card title="Active leases">
      <Waiting loadable={response}>
        {(leases) => {
          if (leases.length === 0) return <Nothing>Neither to the account nor from it.</Nothing>;
          return (
            <ul class="rows leases">
              {leases.map((lease) => (
                <LeaseRow key={lease.id} lease={lease} address={address} />
              ))}
            </ul>
          );
        }}
      </Waiting>
    </Card>
  );
}

function LeaseRow({ lease, address }: { readonly lease: Lease; readonly address: string }): VNode {
  const isOut = lease.sender === address;
  const other = isOut ? lease.recipient : lease.sender;
  const origin = lease.originTransactionId;
  return (
    <li>
      <span class={isOut ? "badge money" : "badge lease"}>{isOut ? "out" : "in"}</span>
      {lease.amount !== null && <Amount value={lease.amount} of={null} />}
      <span>
        {isOut ? "to" : "from"} {other !== null && <AccountLink of={other} />}
      </span>
      <span class="quiet">
        <Id value={lease.id} href={origin === null ? undefined : paths.transaction(origin)} />
        {lease.height !== null && ` since block ${integerText(lease.height)}`}
      </span>
    </li>
  );
}
