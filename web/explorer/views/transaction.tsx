import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Replay } from "../calls/replay.tsx";
import { paths } from "../frame/page-location.ts";
import { useChain } from "../node/chain-feed.ts";
import { fetchJson } from "../node/node-request.ts";
import type { Call, Payment, StateChanges, Transaction } from "../node/shapes.ts";
import { useLoaded } from "../node/use-node-data.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Amount } from "../parts/amount.tsx";
import { Card } from "../parts/card.tsx";
import { Detail, DetailList } from "../parts/detail-list.tsx";
import { Id } from "../parts/id.tsx";
import { RawJson } from "../parts/raw-json.tsx";
import { Moment } from "../parts/time-ago.tsx";
import { Title } from "../parts/title.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { integerText } from "../text/amount-text.ts";
import { CallTree } from "../transactions/call-tree.tsx";
import { DataEntries } from "../transactions/data-entries.tsx";
import { DetailRows } from "../transactions/detail-rows.tsx";
import { SnapshotTables } from "../transactions/snapshot-tables.tsx";
import { typeFace } from "../transactions/transaction-type.ts";
import { StatusBadge } from "../transactions/type-badge.tsx";
import { Verdict } from "../transactions/verdict.tsx";

interface Found {
  readonly tx: Transaction;
  readonly isWaiting: boolean;
}

export function TransactionView({ id }: { readonly id: string }): VNode {
  const chain = useChain();
  // Once it is deep enough, only a lease's status can change.
  const [isSettled, setSettled] = useState(false);
  const response = useLoaded((signal) => find(id, signal), id, isSettled ? undefined : chain?.tipId);
  const found = response.is === "here" ? response.value : undefined;
  const height = found?.isWaiting === false ? found.tx.height : undefined;
  const confirmations = height === undefined || chain === undefined ? undefined : chain.height - height;
  useEffect(() => setSettled(confirmations !== undefined && confirmations > 100n), [confirmations]);
  if (found !== undefined) return <LoadedTransaction {...found} confirmations={confirmations} />;
  return (
    <>
      <Title kind="Transaction" name={id} />
      <Waiting loadable={response}>
        {() => (
          <div class="nothing">
            Neither the chain nor the pool has this transaction. When it comes it will show here.
          </div>
        )}
      </Waiting>
    </>
  );
}

/** @returns undefined when neither the chain nor the pool has it */
async function find(id: string, signal: AbortSignal): Promise<Found | undefined> {
  const path = encodeURIComponent(id);
  const { status } = await fetchJson<{ readonly status: string }>(`/transactions/status/${path}`, signal);
  switch (status) {
    case "confirmed":
      return { tx: await fetchJson<Transaction>(`/transactions/info/${path}`, signal), isWaiting: false };
    case "unconfirmed":
      return { tx: await fetchJson<Transaction>(`/transactions/unconfirmed/info/${path}`, signal), isWaiting: true };
    default:
      return undefined;
  }
}

function LoadedTransaction({
  tx,
  isWaiting,
  confirmations,
}: Found & { readonly confirmations: bigint | undefined }): VNode {
  const called = callOf(tx);
  return (
    <>
      <Title kind={typeFace(tx.type).name} name={tx.id}>
        <Id value={tx.id} isWhole />
      </Title>
      <Card>
        <DetailList>
          <Detail name="Status">
            {isWaiting ? (
              <span class="badge waiting">Waiting</span>
            ) : (
              <>
                <StatusBadge of={tx} always />{" "}
                <span>
                  in block <a href={paths.block(tx.height ?? 0n)}>{integerText(tx.height ?? 0n)}</a>
                  {confirmations !== undefined && <span class="quiet">, {confirmationText(confirmations)}</span>}
                </span>
              </>
            )}
          </Detail>
          {called?.changes?.error !== undefined && (
            <Detail name="Error">
              <span class="error-text">{called.changes.error.text}</span>
            </Detail>
          )}
          <Detail name="Time">
            <Moment of={tx.timestamp} />
          </Detail>
          {tx.sender !== undefined && (
            <Detail name="Sender">
              <AccountLink of={tx.sender} isWhole />
            </Detail>
          )}
          <DetailRows of={tx} />
          <Detail name="Fee">
            <Amount value={tx.fee} of={tx.feeAssetId ?? null} />
          </Detail>
          {tx.spentComplexity !== undefined && tx.spentComplexity > 0n && (
            <Detail name="Complexity">{integerText(tx.spentComplexity)}</Detail>
          )}
        </DetailList>
        <details class="further">
          <summary>Version, key and proofs</summary>
          <DetailList>
            {tx.version !== undefined && <Detail name="Version">{String(tx.version)}</Detail>}
            {tx.senderPublicKey !== undefined && (
              <Detail name="Sender's key">
                <Id value={tx.senderPublicKey} isWhole />
              </Detail>
            )}
            {tx.proofs?.map((proof, index) => (
              <Detail key={proof} name={`Proof ${index + 1}`}>
                <Id value={proof} isWhole />
              </Detail>
            ))}
          </DetailList>
        </details>
      </Card>
      {tx.data !== undefined && (
        <Card title="Data" aside={integerText(BigInt(tx.data.length))}>
          <DataEntries of={tx.data} />
        </Card>
      )}
      {called !== undefined && called.changes !== undefined && (
        <Card title="What it called and changed">
          <CallTree dApp={called.dApp} call={called.call} payment={called.payment} changes={called.changes} />
        </Card>
      )}
      {isWaiting ? (
        <Card title="If it came next">
          <Verdict of={tx} />
        </Card>
      ) : (
        <>
          {called !== undefined && (
            <Folded title="Run it again, with its values">
              <Replay tx={tx} dApp={called.dApp} call={called.call} payment={called.payment} />
            </Folded>
          )}
          <Folded title="Balances and all else after it">
            <SnapshotTables id={tx.id} />
          </Folded>
        </>
      )}
      <RawJson of={tx} />
    </>
  );
}

interface Called {
  readonly dApp: string;
  readonly call: Call | null | undefined;
  readonly payment: readonly Payment[];
  readonly changes: StateChanges | undefined;
}

/** Call in a transaction of either type that has one. */
function callOf(tx: Transaction): Called | undefined {
  const { dApp, call, payment = [] } = tx.payload ?? tx;
  const changes = (tx.payload ?? tx).stateChanges ?? undefined;
  return dApp === undefined ? undefined : { dApp, call, payment, changes };
}

function confirmationText(count: bigint): string {
  if (count === 0n) return "the newest";
  return `${integerText(count)} block${count === 1n ? "" : "s"} above it`;
}

/** Content that is fetched when the reader opens it. */
function Folded({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card folded" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {isOpen && children}
    </details>
  );
}
