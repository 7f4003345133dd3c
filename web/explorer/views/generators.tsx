import type { VNode } from "preact";
import { paths } from "../frame/page-location.ts";
import { useChain } from "../node/chain-feed.ts";
import type { Finality, GenerationPeriod } from "../node/shapes.ts";
import { useNodeData } from "../node/use-node-data.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Amount } from "../parts/amount.tsx";
import { Card } from "../parts/card.tsx";
import { Detail, DetailList } from "../parts/detail-list.tsx";
import { GrowingList } from "../parts/growing-list.tsx";
import { Id } from "../parts/id.tsx";
import { Title } from "../parts/title.tsx";
import { Nothing, Waiting } from "../parts/waiting.tsx";
import { integerText } from "../text/amount-text.ts";
import { shareText } from "../text/share-text.ts";

/** The finalized height, the current generators and those committed to the next period. */
export function Generators(): VNode {
  const chain = useChain();
  const response = useNodeData<Finality>("/blockchain/finality", chain?.tipId);
  return (
    <>
      <Title name="Generators" />
      <Waiting loadable={response}>{(finality) => <LoadedGenerators finality={finality} />}</Waiting>
    </>
  );
}

function LoadedGenerators({ finality }: { readonly finality: Finality }): VNode {
  const { finalizedHeight, currentGenerationPeriod, currentGenerators, nextGenerationPeriod, nextGenerators } =
    finality;
  const total = currentGenerators.reduce((sum, { balance }) => sum + (balance ?? 0n), 0n);
  return (
    <>
      <Card>
        <DetailList>
          <Detail name="Final up to">
            <a href={paths.block(finalizedHeight)}>{integerText(finalizedHeight)}</a>
          </Detail>
          <Detail name="Height">{integerText(finality.height)}</Detail>
          <Detail name="Weight">{total > 0n && <Amount value={total} of={null} />}</Detail>
        </DetailList>
      </Card>
      {currentGenerationPeriod === null ? (
        <Card>
          <Nothing>Feature 25 is not active on this chain: there are no commitments to generate.</Nothing>
        </Card>
      ) : (
        <Card title="Now" aside={periodText(currentGenerationPeriod)}>
          <List none="No commitments to this period: any account with 1,000 WAVES may generate.">
            {currentGenerators.map(({ address, balance, conflictHeight }) => (
              <li key={address}>
                <AccountLink of={address} isWhole />
                {conflictHeight !== null ? (
                  <span class="bad">
                    out since block <a href={paths.block(conflictHeight)}>{integerText(conflictHeight)}</a>
                  </span>
                ) : (
                  (balance ?? 0n) === 0n && <span class="quiet">has too little to generate</span>
                )}
                <span class="quiet when">
                  <Amount value={balance ?? 0n} of={null} /> {total > 0n && shareText(balance ?? 0n, total)}
                </span>
              </li>
            ))}
          </List>
        </Card>
      )}
      {nextGenerationPeriod !== null && (
        <Card title="Next" aside={periodText(nextGenerationPeriod)}>
          <List none="No commitments to the next period yet.">
            {nextGenerators.map(({ address, transactionId }) => (
              <li key={address}>
                <AccountLink of={address} isWhole />
                <span class="quiet when">
                  <Id value={transactionId} href={paths.transaction(transactionId)} />
                </span>
              </li>
            ))}
          </List>
        </Card>
      )}
    </>
  );
}

function List({ children, none }: { readonly children: readonly VNode[]; readonly none: string }): VNode {
  return children.length === 0 ? <Nothing>{none}</Nothing> : <GrowingList>{children}</GrowingList>;
}

function periodText({ start, end }: GenerationPeriod): string {
  return `blocks ${integerText(start)} to ${integerText(end)}`;
}
