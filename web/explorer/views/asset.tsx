import type { VNode } from "preact";
import { ScriptText } from "../accounts/script-text.tsx";
import { paths } from "../frame/page-location.ts";
import { useChain } from "../node/chain-feed.ts";
import type { AssetDetails } from "../node/shapes.ts";
import { useNodeData } from "../node/use-node-data.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Amount } from "../parts/amount.tsx";
import { Blot } from "../parts/blot.tsx";
import { Card } from "../parts/card.tsx";
import { Detail, DetailList } from "../parts/detail-list.tsx";
import { Id } from "../parts/id.tsx";
import { RawJson } from "../parts/raw-json.tsx";
import { Moment } from "../parts/time-ago.tsx";
import { Title } from "../parts/title.tsx";
import { Nothing, Waiting } from "../parts/waiting.tsx";
import { amountText, integerText } from "../text/amount-text.ts";

interface FullDetails extends AssetDetails {
  readonly scriptDetails?: { readonly scriptComplexity: bigint; readonly script: string };
}

export function AssetView({ id }: { readonly id: string }): VNode {
  const chain = useChain();
  const response = useNodeData<FullDetails>(`/assets/details/${encodeURIComponent(id)}?full=true`, chain?.tipId);
  return (
    <>
      {response.is !== "here" && <Title kind="Asset" name={id} />}
      <Waiting loadable={response} unknown="There is no such asset on this chain.">
        {(asset) => <LoadedAsset asset={asset} />}
      </Waiting>
    </>
  );
}

function LoadedAsset({ asset }: { readonly asset: FullDetails }): VNode {
  const isNft = asset.quantity === 1n && asset.decimals === 0n && !asset.reissuable;
  return (
    <>
      <Title kind={isNft ? "NFT" : "Asset"} name={asset.name} before={<Blot of={asset.assetId} large />}>
        <span class="given">{asset.name}</span>
      </Title>
      <Card>
        <DetailList>
          <Detail name="Id">
            <Id value={asset.assetId} isWhole />
          </Detail>
          <Detail name="Description">
            {asset.description !== "" && <span class="given">{asset.description}</span>}
          </Detail>
          <Detail name="Quantity">
            <b>{amountText(asset.quantity, asset.decimals)}</b>
          </Detail>
          <Detail name="Decimals">{String(asset.decimals)}</Detail>
          <Detail name="Reissuable">{asset.reissuable ? "yes" : "no"}</Detail>
          <Detail name="Issuer">
            <AccountLink of={asset.issuer} isWhole />
          </Detail>
          <Detail name="Issued">
            <Moment of={asset.issueTimestamp} /> in block{" "}
            <a href={paths.block(asset.issueHeight)}>{integerText(asset.issueHeight)}</a> by{" "}
            <Id value={asset.originTransactionId} href={paths.transaction(asset.originTransactionId)} />
          </Detail>
          <Detail name="Sponsored">
            {asset.minSponsoredAssetFee != null && (
              <>
                fees from <Amount value={asset.minSponsoredAssetFee} of={asset.assetId} />
              </>
            )}
          </Detail>
        </DetailList>
      </Card>
      {asset.scriptDetails !== undefined && (
        <Card title="Script" aside={`complexity ${integerText(asset.scriptDetails.scriptComplexity)}`}>
          <ScriptText of={asset.scriptDetails.script} />
        </Card>
      )}
      <Holders asset={asset} />
      <RawJson of={asset} />
    </>
  );
}

interface Distribution {
  readonly hasNext: boolean;
  readonly items: Readonly<Record<string, bigint>>;
}

const shownHolders = 100;

/** Holders of the asset one block ago, page by page: the newest state may still change while it is read. */
function Holders({ asset }: { readonly asset: AssetDetails }): VNode {
  const chain = useChain();
  const height = chain === undefined || chain.height < 2n ? undefined : chain.height - 1n;
  const path = `/assets/${asset.assetId}/distribution/${height}/limit/${shownHolders}`;
  const response = useNodeData<Distribution>(height === undefined ? undefined : path);
  return (
    <Card title="Holders">
      <Waiting loadable={response}>
        {({ items, hasNext }) => {
          const holders = Object.entries(items).sort(([, left], [, right]) => (left < right ? 1 : -1));
          if (holders.length === 0) return <Nothing>No holders, as of the block before the last.</Nothing>;
          return (
            <>
              <ul class="rows holders">
                {holders.map(([address, balance]) => (
                  <li key={address}>
                    <AccountLink of={address} />
                    <Amount value={balance} of={asset.assetId} />
                  </li>
                ))}
              </ul>
              {hasNext && holders.length >= shownHolders && (
                <p class="quiet note">{shownHolders} of them, in the order of their addresses in the node.</p>
              )}
            </>
          );
        }}
      </Waiting>
    </Card>
  );
}
