import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { AssetId } from "../node/shapes.ts";
import { useNodeData } from "../node/use-node-data.ts";
import { Amount } from "../parts/amount.tsx";
import { Blot } from "../parts/blot.tsx";
import { Card } from "../parts/card.tsx";
import { Id } from "../parts/id.tsx";
import { Nothing, Waiting } from "../parts/waiting.tsx";
import { integerText } from "../text/amount-text.ts";
import type { AccountPart } from "./account-part.ts";

interface Balances {
  readonly balances: readonly {
    readonly assetId: string;
    readonly balance: bigint;
    readonly minSponsoredAssetFee?: bigint | null;
    readonly sponsorBalance?: bigint | null;
  }[];
}

const pageItems = 50;

export function Assets({ address, tipId }: AccountPart): VNode {
  const response = useNodeData<Balances>(`/assets/balance/${address}`, tipId);
  const [count, setCount] = useState(pageItems);
  return (
    <Card title="Assets" aside={response.is === "here" && integerText(BigInt(response.value.balances.length))}>
      <Waiting loadable={response}>
        {({ balances }) => {
          if (balances.length === 0) return <Nothing>The account has none.</Nothing>;
          return (
            <>
              <ul class="rows assets">
                {balances.slice(0, count).map((item) => (
                  <AssetRow key={item.assetId} {...item} />
                ))}
              </ul>
              {balances.length > count && (
                <button type="button" class="more" onClick={() => setCount(count + pageItems)}>
                  More ({balances.length - count})
                </button>
              )}
            </>
          );
        }}
      </Waiting>
    </Card>
  );
}

function AssetRow({ assetId, balance, sponsorBalance }: Balances["balances"][number]): VNode {
  return (
    <li>
      <Blot of={assetId} />
      <Amount value={balance} of={assetId as AssetId} />
      <span class="quiet">
        <Id value={assetId} canCopy />
        {sponsorBalance != null && (
          <>
            , sponsored from <Amount value={sponsorBalance} of={null} />
          </>
        )}
      </span>
    </li>
  );
}
