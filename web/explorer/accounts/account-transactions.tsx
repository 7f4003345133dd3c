import type { VNode } from "preact";
import { fetchJson } from "../node/node-request.ts";
import type { Transaction } from "../node/shapes.ts";
import { usePagedList } from "../node/use-paged-list.ts";
import { Card } from "../parts/card.tsx";
import { Paged } from "../parts/paged.tsx";
import { TransactionList } from "../transactions/transaction-list.tsx";
import type { AccountPart } from "./account-part.ts";

const pageItems = 30;

export function AccountTransactions({ address, tipId }: AccountPart): VNode {
  const pages = usePagedList<Transaction>(address, tipId, pageItems, async (after) => {
    const query = after === undefined ? "" : `?after=${after.id}`;
    const [list = []] = await fetchJson<readonly (readonly Transaction[])[]>(
      `/transactions/address/${address}/limit/${pageItems}${query}`,
    );
    return list;
  });
  return (
    <Card title="Transactions">
      <Paged list={pages} nothing="None yet.">
        {(items) => <TransactionList of={items} />}
      </Paged>
    </Card>
  );
}
