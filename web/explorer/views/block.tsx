import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { EndorsementsCard } from "../finality/endorsements-card.tsx";
import { paths } from "../frame/page-location.ts";
import { blockId, useChain } from "../node/chain-feed.ts";
import type { Block } from "../node/shapes.ts";
import { useNodeData } from "../node/use-node-data.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Amount } from "../parts/amount.tsx";
import { Card } from "../parts/card.tsx";
import { Detail, DetailList } from "../parts/detail-list.tsx";
import { Id } from "../parts/id.tsx";
import { RawJson } from "../parts/raw-json.tsx";
import { Moment } from "../parts/time-ago.tsx";
import { Title } from "../parts/title.tsx";
import { Nothing, Waiting } from "../parts/waiting.tsx";
import { integerText } from "../text/amount-text.ts";
import { TransactionList } from "../transactions/transaction-list.tsx";

/** @param of height or id */
export function BlockView({ of }: { readonly of: string }): VNode {
  const chain = useChain();
  const isHeight = /^\d+$/.test(of);
  // Old blocks never change; those near the tip may.
  const isNearTip = !isHeight || chain === undefined || BigInt(of) + 100n > chain.height;
  const response = useNodeData<Block>(
    isHeight ? `/blocks/at/${of}` : `/blocks/${encodeURIComponent(of)}`,
    isNearTip ? chain?.tipId : undefined,
  );
  const name = isHeight ? integerText(BigInt(of)) : of;
  const unknown =
    isHeight && chain !== undefined && BigInt(of) > chain.height
      ? `The chain has not come to this height yet: it is at ${integerText(chain.height)}. The block will show here.`
      : "There is no such block on this chain.";
  return (
    <>
      {response.is !== "here" && <Title kind="Block" name={name} />}
      <Waiting loadable={response} unknown={unknown}>
        {(block) => <LoadedBlock block={block} tip={chain?.height} version={isNearTip ? chain?.tipId : undefined} />}
      </Waiting>
    </>
  );
}

const pageTransactions = 50;

interface LoadedBlockProps {
  readonly block: Block;
  readonly tip: bigint | undefined;
  /** Id of the state while the block may change. */
  readonly version: string | undefined;
}

function LoadedBlock({ block, tip, version }: LoadedBlockProps): VNode {
  const [count, setCount] = useState(pageTransactions);
  const { height, transactions, finalizationVoting } = block;
  return (
    <>
      <Title kind="Block" name={integerText(height)} />
      <nav class="pages top" aria-label="Neighbours">
        {height > 1n ? <a href={paths.block(height - 1n)}>← {integerText(height - 1n)}</a> : <span />}
        {tip !== undefined && height < tip ? (
          <a href={paths.block(height + 1n)}>{integerText(height + 1n)} →</a>
        ) : (
          <span class="quiet">the newest</span>
        )}
      </nav>
      <Card>
        <DetailList>
          <Detail name="Id">
            <Id value={blockId(block)} isWhole />
          </Detail>
          <Detail name="Time">
            <Moment of={block.timestamp} />
          </Detail>
          <Detail name="Generator">
            <AccountLink of={block.generator} isWhole />
          </Detail>
          <Detail name="Parent">
            <Id value={block.reference} href={height > 1n ? paths.block(block.reference) : undefined} isWhole />
          </Detail>
          <Detail name="Reward">
            <Amount value={block.reward} of={null} />
            <Shares of={block} />
          </Detail>
          <Detail name="Fees">
            <Amount value={block.totalFee} of={null} />
          </Detail>
          <Detail name="Votes">
            <Votes of={block} />
          </Detail>
          <Detail name="Size">{integerText(block.blocksize)} bytes</Detail>
        </DetailList>
        <details class="further">
          <summary>More of the header</summary>
          <DetailList>
            <Detail name="Version">{String(block.version)}</Detail>
            <Detail name="Base target">{integerText(block["nxt-consensus"]["base-target"])}</Detail>
            <Detail name="Generation signature">
              <Id value={block["nxt-consensus"]["generation-signature"]} isWhole />
            </Detail>
            <Detail name="VRF">{block.VRF !== undefined && <Id value={block.VRF} isWhole />}</Detail>
            <Detail name="State hash">{block.stateHash !== undefined && <Id value={block.stateHash} isWhole />}</Detail>
            <Detail name="Transactions root">
              {block.transactionsRoot !== undefined && <Id value={block.transactionsRoot} isWhole />}
            </Detail>
            <Detail name="Signature">
              <Id value={block.signature} isWhole />
            </Detail>
            <Detail name="Challenges">
              {block.challengedHeader !== undefined && <AccountLink of={block.challengedHeader.generator} isWhole />}
            </Detail>
          </DetailList>
        </details>
      </Card>
      {finalizationVoting !== undefined && (
        <EndorsementsCard block={block} voting={finalizationVoting} version={version} />
      )}
      <Card title="Transactions" aside={integerText(block.transactionCount)}>
        {transactions.length === 0 ? (
          <Nothing>None in this block.</Nothing>
        ) : (
          <TransactionList of={transactions.slice(0, count)} />
        )}
        {transactions.length > count && (
          <button type="button" class="more" onClick={() => setCount(count + pageTransactions)}>
            More ({integerText(BigInt(transactions.length - count))})
          </button>
        )}
      </Card>
      <RawJson of={block} />
    </>
  );
}

/** Reward shares, when the generator did not get all of it. */
function Shares({ of }: { readonly of: Block }): VNode | null {
  const shares = Object.entries(of.rewardShares);
  if (shares.length < 2) return null;
  return (
    <ul class="plain">
      {shares.map(([address, share]) => (
        <li key={address}>
          <AccountLink of={address} /> <Amount value={share} of={null} />
        </li>
      ))}
    </ul>
  );
}

function Votes({ of }: { readonly of: Block }): VNode {
  const { features = [], desiredReward = -1n } = of;
  return (
    <>
      {features.length > 0 && <div>for features {features.join(", ")}</div>}
      {desiredReward >= 0n ? (
        <div>
          for a reward of <Amount value={desiredReward} of={null} />
        </div>
      ) : (
        features.length === 0 && "none"
      )}
    </>
  );
}
