import type { VNode } from "preact";
import { paths, useLocation } from "../frame/page-location.ts";
import { useChain } from "../node/chain-feed.ts";
import type { Header } from "../node/shapes.ts";
import { useNodeData } from "../node/use-node-data.ts";
import { BlockList } from "../parts/block-list.tsx";
import { Card } from "../parts/card.tsx";
import { Title } from "../parts/title.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { integerText } from "../text/amount-text.ts";

const pageBlocks = 25n;

/** All blocks, page by page, from the newest down. */
export function Blocks(): VNode {
  const chain = useChain();
  const { query } = useLocation();
  const tip = chain?.height;
  const before = heightOf(query.get("before"));
  const top = tip === undefined ? undefined : before === undefined || before > tip + 1n ? tip : before - 1n;
  const isNewest = top !== undefined && top === tip;
  const from = top === undefined ? undefined : top > pageBlocks ? top - pageBlocks + 1n : 1n;
  // Older blocks never change; the newest page follows the chain.
  const response = useNodeData<readonly Header[]>(
    from === undefined ? undefined : `/blocks/headers/seq/${from}/${top}`,
    isNewest ? chain?.tipId : undefined,
  );
  return (
    <>
      <Title name="Blocks" />
      <Card>
        <Waiting loadable={response}>{(headers) => <BlockList of={headers.toReversed()} />}</Waiting>
      </Card>
      {from !== undefined && top !== undefined && tip !== undefined && (
        <nav class="pages" aria-label="Pages">
          {isNewest ? (
            <span />
          ) : (
            <a href={paths.blocks(top + pageBlocks + 1n > tip ? undefined : top + pageBlocks + 1n)}>← Newer</a>
          )}
          <span class="quiet">
            {integerText(from)} – {integerText(top)} of {integerText(tip)}
          </span>
          {from > 1n ? <a href={paths.blocks(from)}>Older →</a> : <span />}
        </nav>
      )}
    </>
  );
}

function heightOf(text: string | null): bigint | undefined {
  return text !== null && /^\d{1,10}$/.test(text) && text !== "0" && text !== "1" ? BigInt(text) : undefined;
}
