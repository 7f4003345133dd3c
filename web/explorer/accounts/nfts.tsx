import type { VNode } from "preact";
import { paths } from "../frame/page-location.ts";
import { fetchJson } from "../node/node-request.ts";
import type { AssetDetails } from "../node/shapes.ts";
import { usePagedList } from "../node/use-paged-list.ts";
import { AccountLink } from "../parts/account-link.tsx";
import { Blot } from "../parts/blot.tsx";
import { Card } from "../parts/card.tsx";
import { Id } from "../parts/id.tsx";
import { Paged } from "../parts/paged.tsx";
import type { AccountPart } from "./account-part.ts";

const pageItems = 60;

export function Nfts({ address, tipId }: AccountPart): VNode {
  const pages = usePagedList<AssetDetails>(address, tipId, pageItems, (after) =>
    fetchJson(`/assets/nft/${address}/limit/${pageItems}${after === undefined ? "" : `?after=${after.assetId}`}`),
  );
  return (
    <Card title="NFTs">
      <Paged list={pages} nothing="The account has no asset of which there is but one.">
        {(items) => (
          <ul class="nfts">
            {items.map(({ assetId, name, description, issuer }) => (
              <li key={assetId}>
                <a href={paths.asset(assetId)}>
                  <Blot of={assetId} large />
                  <b class="given">{name}</b>
                </a>
                {description !== "" && <p class="given quiet">{description}</p>}
                <p class="quiet">
                  <Id value={assetId} /> of <AccountLink of={issuer} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </Card>
  );
}
