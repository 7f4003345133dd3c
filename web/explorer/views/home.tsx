import type { VNode } from "preact";
import { paths } from "../frame/page-location.ts";
import { blockId, type ChainNow, useChain, windowBlocks } from "../node/chain-feed.ts";
import { useLatestTransactions } from "../node/latest-transactions.ts";
import type { Header } from "../node/shapes.ts";
import { useNodeData } from "../node/use-node-data.ts";
import { BlockList } from "../parts/block-list.tsx";
import { Card } from "../parts/card.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { Title } from "../parts/title.tsx";
import { Nothing } from "../parts/waiting.tsx";
import { amountText, integerText } from "../text/amount-text.ts";
import { TransactionList } from "../transactions/transaction-list.tsx";

const shownBlocks = 18;

/** Live overview of the chain. */
export function Home(): VNode {
  const chain = useChain();
  return (
    <>
      <Title name="The chain now" />
      {chain === undefined ? (
        <p class="awaited" aria-busy="true">
          Asking the node…
        </p>
      ) : (
        <Live chain={chain} />
      )}
    </>
  );
}

function Live({ chain }: { readonly chain: ChainNow }): VNode {
  const transactions = useLatestTransactions(chain.headers);
  const pool = useNodeData<{ readonly size: bigint }>("/transactions/unconfirmed/size", chain.tipId);
  const [tip] = chain.headers;
  return (
    <>
      <div class="figures">
        <Figure name="Height" value={integerText(chain.height)} />
        <Figure name="Last block" value={tip === undefined ? "" : <TimeAgo of={tip.timestamp} />} />
        <Figure name="Between blocks" value={meanDelayText(chain.headers)} />
        <Figure name="Waiting" value={pool.is === "here" ? integerText(pool.value.size) : "…"} />
        <Figure name="Reward" value={tip === undefined ? "" : `${amountText(tip.reward, 8n)} WAVES`} />
      </div>
      <Activity headers={chain.headers} />
      <div class="columns">
        <Card title="Blocks" aside={<a href={paths.blocks()}>All blocks</a>}>
          <BlockList of={chain.headers.slice(0, shownBlocks)} />
        </Card>
        <Card title="Transactions">
          {transactions.length === 0 ? (
            <Nothing>The newest {integerText(BigInt(chain.headers.length))} blocks have none.</Nothing>
          ) : (
            <TransactionList of={transactions} />
          )}
        </Card>
      </div>
    </>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: VNode | string }): VNode {
  return (
    <div class="figure">
      <span class="name">{name}</span>
      <span class="value">{value}</span>
    </div>
  );
}

/** Mean over the known blocks. Without the genesis block, which may be years older than the next one. */
function meanDelayText(headers: readonly Header[]): string {
  const later = headers.filter(({ height }) => height > 1n);
  const [newest, oldest] = [later[0], later.at(-1)];
  if (newest === undefined || oldest === undefined || newest === oldest) return "–";
  const seconds = Number(newest.timestamp - oldest.timestamp) / 1_000 / (later.length - 1);
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
}

/** Bar chart: the number of transactions in each of the newest blocks. */
function Activity({ headers }: { readonly headers: readonly Header[] }): VNode {
  const blocks = headers.toReversed();
  const most = Math.max(4, ...blocks.map(({ transactionCount }) => Number(transactionCount)));
  return (
    <nav class="activity" aria-label="Transactions of the newest blocks">
      {Array.from({ length: Number(windowBlocks) - blocks.length }, (_, index) => (
        <span key={`free${index}`} />
      ))}
      {blocks.map((header) => {
        const count = Number(header.transactionCount);
        const label = `Block ${header.height}: ${count} transaction${count === 1 ? "" : "s"}`;
        return (
          <a key={String(header.height)} href={paths.block(header.height)} title={label} tabIndex={-1}>
            <svg viewBox="0 0 10 40" preserveAspectRatio="none" aria-hidden="true" key={blockId(header)}>
              <rect class="ground" width="10" height="40" rx="2" />
              {count > 0 && <rect y={40 - Math.max(3, (count / most) * 40)} width="10" height="40" rx="2" />}
            </svg>
            <span class="hidden-text">{label}</span>
          </a>
        );
      })}
    </nav>
  );
}
