import type { ComponentChildren, VNode } from "preact";
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import { paths } from "../frame/page-location.ts";
import type { Order, Transaction } from "../node/shapes.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Amount, AssetLink } from "../parts/amount.tsx";
import { Fact } from "../parts/detail-list.tsx";
import { Id } from "../parts/id.tsx";
import { integerText } from "../text/amount-text.ts";
import { CallText, Payments } from "./call-text.tsx";
import { Paid, Price } from "./price.tsx";

/** Fields specific to a transaction type. @source docs/protocol/rest-api.md 3.3 */
export function DetailRows({ of }: { readonly of: Transaction }): VNode {
  return <>{rows(of)}</>;
}

function rows(tx: Transaction): ComponentChildren {
  switch (Number(tx.type)) {
    case 1:
    case 2:
    case 4:
      return [recipient(tx.recipient), amount("Amount", tx.amount, tx.assetId ?? null), attachment(tx.attachment)];
    case 3:
      return [
        <Fact name="Asset">
          <AssetLink of={tx.assetId ?? tx.id} />
        </Fact>,
        tx.quantity !== undefined && amount("Quantity", tx.quantity, tx.assetId ?? tx.id),
        <Fact name="Decimals">{String(tx.decimals)}</Fact>,
        <Fact name="Reissuable">{yesNo(tx.reissuable)}</Fact>,
        text("Description", tx.description),
        tx.script != null && <Fact name="Script">the asset has one</Fact>,
      ];
    case 5:
      return [
        amount("Quantity", tx.quantity, tx.assetId ?? null),
        <Fact name="Reissuable">{yesNo(tx.reissuable)}</Fact>,
      ];
    case 6:
      return amount("Amount", tx.amount, tx.assetId ?? null);
    case 7:
      return tx.order1 !== undefined && tx.order2 !== undefined && exchangeRows(tx, [tx.order1, tx.order2]);
    case 8:
      return [
        recipient(tx.recipient),
        amount("Amount", tx.amount, null),
        tx.status !== undefined && <Fact name="Lease now">{tx.status}</Fact>,
      ];
    case 9:
      return [
        <Fact name="Lease">
          <Id value={tx.leaseId ?? ""} isWhole href={leaseOrigin(tx)} />
        </Fact>,
        tx.lease?.recipient != null && recipient(tx.lease.recipient),
        tx.lease?.amount != null && amount("Amount", tx.lease.amount, null),
      ];
    case 10:
      return (
        <Fact name="Alias">
          <b>{tx.alias}</b>
        </Fact>
      );
    case 11:
      return [
        amount("In all", tx.totalAmount, tx.assetId ?? null),
        <Fact name={`To ${integerText(tx.transferCount ?? 0n)}`}>
          <Transfers of={tx} />
        </Fact>,
        attachment(tx.attachment),
      ];
    case 12:
      return <Fact name="Entries">{integerText(BigInt(tx.data?.length ?? 0))}, below</Fact>;
    case 13:
      return <Fact name="Script">{tx.script == null ? "taken away" : scriptLink(tx.sender)}</Fact>;
    case 14:
      return [
        asset(tx.assetId),
        <Fact name="Smallest fee">
          {tx.minSponsoredAssetFee == null ? (
            "sponsorship ends"
          ) : (
            <Amount value={tx.minSponsoredAssetFee} of={tx.assetId ?? null} />
          )}
        </Fact>,
      ];
    case 15:
      return asset(tx.assetId);
    case 16:
      return callRows(tx.dApp, tx.call, tx.payment);
    case 17:
      return [asset(tx.assetId), text("Name", tx.name), text("Description", tx.description)];
    case 18:
      return tx.payload?.type === "invocation"
        ? callRows(tx.payload.dApp, tx.payload.call, tx.payload.payment)
        : [recipient(tx.payload?.recipient), amount("Amount", tx.payload?.amount, tx.payload?.asset ?? null)];
    case 19:
      return [
        tx.generationPeriodStart !== undefined && (
          <Fact name="Period from">{integerText(tx.generationPeriodStart)}</Fact>
        ),
        <Fact name="Endorser key">
          {tx.endorserPublicKey !== undefined && <Id value={tx.endorserPublicKey} isWhole />}
        </Fact>,
      ];
    default:
      return null;
  }
}

function callRows(
  dApp: string | undefined,
  call: Transaction["call"] | null,
  payment: Transaction["payment"],
): ComponentChildren {
  return [
    <Fact name="dApp">{dApp !== undefined && <AccountLink of={dApp} isWhole />}</Fact>,
    <Fact name="Call">
      <CallText of={call} />
    </Fact>,
    payment !== undefined && payment.length > 0 && (
      <Fact name="Payments">
        <Payments of={payment} />
      </Fact>
    ),
  ];
}

function exchangeRows(tx: Transaction, orders: readonly [Order, Order]): ComponentChildren {
  const pair = orders[0].assetPair;
  const side = (type: Order["orderType"]): Order | undefined => orders.find(({ orderType }) => orderType === type);
  const [buy, sell] = [side("buy"), side("sell")];
  return [
    amount("Amount", tx.amount, pair.amountAsset),
    <Fact name="Price">
      <Price exchange={tx} pair={pair} />
    </Fact>,
    <Fact name="Paid">
      <Paid exchange={tx} pair={pair} />
    </Fact>,
    buy !== undefined && <OrderFact name="Buyer" order={buy} fee={tx.buyMatcherFee} />,
    sell !== undefined && <OrderFact name="Seller" order={sell} fee={tx.sellMatcherFee} />,
  ];
}

function OrderFact({
  name,
  order,
  fee,
}: {
  readonly name: string;
  readonly order: Order;
  readonly fee: bigint | undefined;
}): VNode {
  return (
    <Fact name={name}>
      <AccountLink of={order.sender} isWhole />
      <div class="quiet">
        fee {fee !== undefined && <Amount value={fee} of={order.matcherFeeAssetId ?? null} />}, order{" "}
        <Id value={order.id} canCopy />
      </div>
    </Fact>
  );
}

const manyTransfers = 20;

function Transfers({ of }: { readonly of: Transaction }): VNode {
  const transfers = of.transfers ?? [];
  const list = (
    <ul class="plain">
      {transfers.map((transfer, index) => (
        <li key={index}>
          <AccountLink of={transfer.recipient} /> <Amount value={transfer.amount} of={of.assetId ?? null} />
        </li>
      ))}
    </ul>
  );
  if (transfers.length <= manyTransfers) return list;
  return (
    <details>
      <summary>all recipients</summary>
      {list}
    </details>
  );
}

/** Attachment as text if it is UTF-8, otherwise as received. */
function attachment(base58: string | undefined): ComponentChildren {
  if (base58 === undefined || base58 === "") return null;
  return text("Attachment", textOfBase58(base58));
}

function textOfBase58(base58: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(decodeBase58(base58));
  } catch {
    return base58;
  }
}

function leaseOrigin({ lease }: Transaction): string | undefined {
  return lease?.originTransactionId == null ? undefined : paths.transaction(lease.originTransactionId);
}

function scriptLink(sender: string | undefined): ComponentChildren {
  return sender === undefined ? "set" : <a href={paths.account(sender, "script")}>the account's script now</a>;
}

function recipient(address: string | undefined): ComponentChildren {
  return (
    address !== undefined && (
      <Fact name="Recipient">
        <AccountLink of={address} isWhole />
      </Fact>
    )
  );
}

function amount(name: string, value: bigint | undefined, of: string | null): ComponentChildren {
  return (
    value !== undefined && (
      <Fact name={name}>
        <Amount value={value} of={of} />
      </Fact>
    )
  );
}

function asset(id: string | null | undefined): ComponentChildren {
  return (
    <Fact name="Asset">
      <AssetLink of={id ?? null} />
    </Fact>
  );
}

function text(name: string, value: string | undefined): ComponentChildren {
  return value !== undefined && value !== "" && <Fact name={name}>{<span class="given">{value}</span>}</Fact>;
}

function yesNo(value: boolean | undefined): string {
  return value === true ? "yes" : "no";
}
