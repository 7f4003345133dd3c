import type { VNode } from "preact";
import { paths } from "../frame/page-location.ts";
import type { Block, FinalizationVoting, Generator } from "../node/shapes.ts";
import { useNodeData } from "../node/use-node-data.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Amount } from "../parts/amount.tsx";
import { Card } from "../parts/card.tsx";
import { GrowingList } from "../parts/growing-list.tsx";
import { Id } from "../parts/id.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { integerText } from "../text/amount-text.ts";
import { shareText } from "../text/share-text.ts";
import { type Endorsements, type Endorser, endorsementsOf } from "./endorsements.ts";

interface Props {
  readonly block: Block;
  readonly voting: FinalizationVoting;
  /** The request is repeated when this changes. */
  readonly version: unknown;
}

/** The endorsers of a block's parent, and the endorsers in conflict. */
export function EndorsementsCard({ block, voting, version }: Props): VNode {
  const response = useNodeData<readonly Generator[]>(`/generators/at/${block.height}`, version);
  const parent = block.height - 1n;
  return (
    <Card
      title={
        <>
          Endorsements of block <a href={paths.block(parent)}>{integerText(parent)}</a>
        </>
      }
      aside={voting.finalizedHeight !== undefined && `final until then: ${integerText(voting.finalizedHeight)}`}
    >
      <Waiting loadable={response} unknown="The node does not know who generated then.">
        {(generators) => <LoadedEndorsements endorsements={endorsementsOf(voting, generators, block.generator)} />}
      </Waiting>
    </Card>
  );
}

function LoadedEndorsements({ endorsements }: { readonly endorsements: Endorsements }): VNode {
  const { generator, endorsers, contradictions, weight, total, isEnough } = endorsements;
  return (
    <>
      <GrowingList>
        {[
          ...(generator === undefined
            ? []
            : [<Row key={generator.address} endorser={generator} note="generator of this block" />]),
          ...endorsers.map((endorser) => <Row key={endorser.address} endorser={endorser} />),
          ...contradictions.map(({ address, height, blockId }) => (
            <li key={blockId + address}>
              {address === undefined ? "An unknown generator" : <AccountLink of={address} isWhole />}
              <span class="bad">
                contradicts this chain: takes <Id value={blockId} /> for block {integerText(height)}
              </span>
            </li>
          )),
        ]}
      </GrowingList>
      {total > 0n && (
        <p class="two-thirds">
          <b>{shareText(weight, total)}</b> of <Amount value={total} of={null} />:{" "}
          {isEnough ? "the parent is final." : "two thirds are needed, so the parent is not final yet."}
        </p>
      )}
    </>
  );
}

function Row({ endorser, note }: { readonly endorser: Endorser; readonly note?: string }): VNode {
  return (
    <li>
      <AccountLink of={endorser.address} isWhole />
      {note !== undefined && <span class="quiet">{note}</span>}
      <span class="quiet when">
        <Amount value={endorser.weight} of={null} />
      </span>
    </li>
  );
}
