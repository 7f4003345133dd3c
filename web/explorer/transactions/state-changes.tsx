import type { ComponentChildren, VNode } from "preact";
import type { Lease, StateChanges } from "../node/shapes.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Amount, AssetLink } from "../parts/amount.tsx";
import { Id } from "../parts/id.tsx";
import { amountText } from "../text/amount-text.ts";
import { DataEntries } from "./data-entries.tsx";

/** A call's own changes. Nested calls show theirs below. */
export function Changes({ of }: { readonly of: StateChanges }): VNode {
  const { data, transfers, issues, reissues, burns, sponsorFees, leases, leaseCancels } = of;
  return (
    <div class="changes">
      <Group name="Data" count={data.length}>
        <DataEntries of={data} />
      </Group>
      <List name="Transfers" of={transfers}>
        {({ address, asset, amount }) => (
          <>
            <Amount value={amount} of={asset} /> to <AccountLink of={address} />
          </>
        )}
      </List>
      <List name="Issued" of={issues}>
        {({ assetId, name, quantity, decimals }) => (
          <>
            <b>{amountText(quantity, decimals)}</b> <span class="given">{name}</span>, asset <Id value={assetId} />
          </>
        )}
      </List>
      <List name="Reissued" of={reissues}>
        {({ assetId, quantity }) => <Amount value={quantity} of={assetId} />}
      </List>
      <List name="Burnt" of={burns}>
        {({ assetId, quantity }) => <Amount value={quantity} of={assetId} />}
      </List>
      <List name="Sponsorship" of={sponsorFees}>
        {({ assetId, minSponsoredAssetFee }) =>
          minSponsoredAssetFee == null ? (
            <>
              ends for <AssetLink of={assetId} />
            </>
          ) : (
            <>
              smallest fee <Amount value={minSponsoredAssetFee} of={assetId} />
            </>
          )
        }
      </List>
      <List name="Leases" of={leases}>
        {(lease) => <LeaseText of={lease} />}
      </List>
      <List name="Cancelled leases" of={leaseCancels}>
        {(lease) => <LeaseText of={lease} />}
      </List>
    </div>
  );
}

/** Number of a call's own changes. */
export function countChanges(changes: StateChanges): number {
  const { data, transfers, issues, reissues, burns, sponsorFees, leases, leaseCancels } = changes;
  const lists = [data, transfers, issues, reissues, burns, sponsorFees, leases, leaseCancels];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), 0);
}

function LeaseText({ of }: { readonly of: Lease }): VNode {
  return (
    <>
      {of.amount !== null && <Amount value={of.amount} of={null} />}
      {of.recipient !== null && (
        <>
          {" to "}
          <AccountLink of={of.recipient} />
        </>
      )}{" "}
      <Id value={of.id} />
    </>
  );
}

interface ListProps<Item> {
  readonly name: string;
  readonly of: readonly Item[];
  readonly children: (item: Item) => ComponentChildren;
}

function List<Item>({ name, of, children }: ListProps<Item>): VNode {
  return (
    <Group name={name} count={of.length}>
      <ul class="plain">
        {of.map((item, index) => (
          <li key={index}>{children(item)}</li>
        ))}
      </ul>
    </Group>
  );
}

interface GroupProps {
  readonly name: string;
  readonly count: number;
  readonly children: ComponentChildren;
}

function Group({ name, count, children }: GroupProps): VNode | null {
  if (count === 0) return null;
  return (
    <section>
      <h4>{name}</h4>
      {children}
    </section>
  );
}
