import type { ComponentChildren, VNode } from "preact";
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import { paths } from "../frame/page-location.ts";
import type { Order, Transaction } from "../node/shapes.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Amount, AssetLink } from "../parts/amount.tsx";
import { Detail } from "../parts/detail-list.tsx";
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
        <Detail name="Asset">
          <AssetLink of={tx.assetId ?? tx.id} />
        </Detail>,
        tx.quantity !== undefined && amount("Quantity", tx.quantity, tx.assetId ?? tx.id),
        <Detail name="Decimals">{String(tx.decimals)}</Detail>,
        <Detail name="Reissuable">{yesNo(tx.reissuable)}</Detail>,
        text("Description", tx.description),
        tx.script != null && <Detail name="Script">the asset has one</Detail>,
      ];
    case 5:
      return [
        amount("Quantity", tx.quantity, tx.assetId ?? null),
        <Detail name="Reissuable">{yesNo(tx.reissuable)}</Detail>,
      ];
    case 6:
      return amount("Amount", tx.amount, tx.assetId ?? null);
    case 7:
      return tx.order1 !== undefined && tx.order2 !== undefined && exchangeRows(tx, [tx.order1, tx.order2]);
    case 8:
      return [
        recipient(tx.recipient),
        amount("Amount", tx.amount, null),
        tx.status !== undefined && <Detail name="Lease now">{tx.status}</Detail>,
      ];
    case 9:
      return [
        <Detail name="Lease">
          <Id value={tx.leaseId ?? ""} isWhole href={leaseOrigin(tx)} />
        </Detail>,
        tx.lease?.recipient != null && recipient(tx.lease.recipient),
        tx.lease?.amount != null && amount("Amount", tx.lease.amount, null),
      ];
    case 10:
      return (
        <Detail name="Alias">
          <b>{tx.alias}</b>
        </Detail>
      );
    case 11:
      return [
        amount("In all", tx.totalAmount, tx.assetId ?? null),
        <Detail name={`To ${integerText(tx.transferCount ?? 0n)}`}>
          <Transfers of={tx} />
        </Detail>,
        attachment(tx.attachment),
      ];
    case 12:
      return <Detail name="Entries">{integerText(BigInt(tx.data?.length ?? 0))}, below</Detail>;
    case 13:
      return <Detail name="Script">{tx.script == null ? "taken away" : scriptLink(tx.sender)}</Detail>;
    case 14:
      return [
        asset(tx.assetId),
        <Detail name="Smallest fee">
          {tx.minSponsoredAssetFee == null ? (
            "sponsorship ends"
          ) : (
            <Amount value={tx.minSponsoredAssetFee} of={tx.assetId ?? null} />
          )}
        </Detail>,
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
          <Detail name="Period from">{integerText(tx.generationPeriodStart)}</Detail>
        ),
        <Detail name="Endorser key">
          {tx.endorserPublicKey !== undefined && <Id value={tx.endorserPublicKey} isWhole />}
        </Detail>,
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
    <Detail name="dApp">{dApp !== undefined && <AccountLink of={dApp} isWhole />}</Detail>,
    <Detail name="Call">
      <CallText of={call} />
    </Detail>,
    payment !== undefined && payment.length > 0 && (
      <Detail name="Payments">
        <Payments of={payment} />
      </Detail>
    ),
  ];
}

function exchangeRows(tx: Transaction, orders: readonly [Order, Order]): ComponentChildren {
  const pair = orders[0].assetPair;
  const side = (type: Order["orderType"]): Order | undefined => orders.find(({ orderType }) => orderType === type);
  const [buy, sell] = [side("buy"), side("sell")];
  return [
    amount("Amount", tx.amount, pair.amountAsset),
    <Detail name="Price">
      <Price exchange={tx} pair={pair} />
    </Detail>,
    <Detail name="Paid">
      <Paid exchange={tx} pair={pair} />
    </Detail>,
    buy !== undefined && <OrderDetail name="Buyer" order={buy} fee={tx.buyMatcherFee} />,
    sell !== undefined && <OrderDetail name="Seller" order={sell} fee={tx.sellMatcherFee} />,
  ];
}

function OrderDetail({
  name,
  order,
  fee,
}: {
  readonly name: string;
  readonly order: Order;
  readonly fee: bigint | undefined;
}): VNode {
  return (
    <Detail name={name}>
      <AccountLink of={order.sender} isWhole />
      <div class="quiet">
        fee {fee !== undefined && <Amount value={fee} of={order.matcherFeeAssetId ?? null} />}, order{" "}
        <Id value={order.id} canCopy />
      </div>
    </Detail>
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
      <Detail name="Recipient">
        <AccountLink of={address} isWhole />
      </Detail>
    )
  );
}

function amount(name: string, value: bigint | undefined, of: string | null): ComponentChildren {
  return (
    value !== undefined && (
      <Detail name={name}>
        <Amount value={value} of={of} />
      </Detail>
    )
  );
}

function asset(id: string | null | undefined): ComponentChildren {
  return (
    <Detail name="Asset">
      <AssetLink of={id ?? null} />
    </Detail>
  );
}

function text(name: string, value: string | undefined): ComponentChildren {
  return value !== undefined && value !== "" && <Detail name={name}>{<span class="given">{value}</span>}</Detail>;
}

function yesNo(value: boolean | undefined): string {
  return value === true ? "yes" : "no";
}
