import type { ComponentChildren, VNode } from "preact";
import type { Transaction } from "../node/shapes.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Amount, AssetLink } from "../parts/amount.tsx";
import { Id } from "../parts/id.tsx";
import { integerText } from "../text/amount-text.ts";
import { Price } from "./price.tsx";

/** One-line summary of a transaction. */
export function Summary({ of }: { readonly of: Transaction }): VNode {
  return <span class="summary">{describe(of)}</span>;
}

function describe(tx: Transaction): ComponentChildren {
  switch (Number(tx.type)) {
    case 1:
    case 2:
    case 4:
      return sent(tx.amount, tx.assetId, tx.recipient);
    case 3:
      return <>{tx.quantity !== undefined && <Amount value={tx.quantity} of={tx.assetId ?? tx.id} />}</>;
    case 5:
      return tx.quantity !== undefined && <Amount value={tx.quantity} of={tx.assetId ?? null} />;
    case 6:
      return tx.amount !== undefined && <Amount value={tx.amount} of={tx.assetId ?? null} />;
    case 7:
      return (
        tx.order1 !== undefined && (
          <>
            <Amount value={tx.amount ?? 0n} of={tx.order1.assetPair.amountAsset} /> at{" "}
            <Price exchange={tx} pair={tx.order1.assetPair} />
          </>
        )
      );
    case 8:
      return sent(tx.amount, null, tx.recipient);
    case 9:
      return (
        <>
          {tx.lease?.amount != null && <Amount value={tx.lease.amount} of={null} />} <Id value={tx.leaseId ?? ""} />
        </>
      );
    case 10:
      return <b>{tx.alias}</b>;
    case 11:
      return (
        <>
          <Amount value={tx.totalAmount ?? 0n} of={tx.assetId ?? null} /> to {plural(tx.transferCount ?? 0n, "account")}
        </>
      );
    case 12:
      return plural(BigInt(tx.data?.length ?? 0), "entry", "entries");
    case 13:
      return tx.script == null ? "script taken away" : "script set";
    case 14:
    case 15:
    case 17:
      return <AssetLink of={tx.assetId ?? null} />;
    case 16:
      return called(tx.call?.function, tx.dApp);
    case 18:
      return tx.payload?.type === "invocation"
        ? called(tx.payload.call?.function, tx.payload.dApp)
        : sent(tx.payload?.amount, tx.payload?.asset, tx.payload?.recipient);
    case 19:
      return tx.generationPeriodStart === undefined
        ? ""
        : `generates from block ${integerText(tx.generationPeriodStart)}`;
    default:
      return "";
  }
}

function sent(amount: bigint | undefined, asset: string | null | undefined, recipient: string | undefined): VNode {
  return (
    <>
      {amount !== undefined && <Amount value={amount} of={asset ?? null} />}
      {recipient !== undefined && (
        <>
          {" to "}
          <AccountLink of={recipient} />
        </>
      )}
    </>
  );
}

function called(name: string | undefined, dApp: string | undefined): VNode {
  return (
    <>
      <b class="call-name">{name ?? "default"}</b>
      {dApp !== undefined && (
        <>
          {" on "}
          <AccountLink of={dApp} />
        </>
      )}
    </>
  );
}

function plural(count: bigint, one: string, many = `${one}s`): string {
  return `${integerText(count)} ${count === 1n ? one : many}`;
}
