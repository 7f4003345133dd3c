import { useEffect, useState } from "preact/hooks";
import { blockId } from "./chain-feed.ts";
import { fetchJson } from "./node-request.ts";
import type { Block, Header, Transaction } from "./shapes.ts";

const shownTransactions = 12;
/** Larger blocks are not read just for their last lines: while they fill, each micro-block changes them. */
const maxBlockBytes = 300_000n;

/** Transactions by block id. */
const known = new Map<string, readonly Transaction[]>();
const maxKnown = 60;

/**
 * The last transactions of the newest blocks, newest first.
 * @param headers newest first
 */
export function useLatestTransactions(headers: readonly Header[]): readonly Transaction[] {
  const [transactions, setTransactions] = useState<readonly Transaction[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    latest(headers, abort.signal).then(
      (list) => abort.signal.aborted || setTransactions(list),
      () => {
        // A block was rolled back; the next poll begins without it.
      },
    );
    return () => abort.abort();
  }, [headers]);
  return transactions;
}

async function latest(headers: readonly Header[], signal: AbortSignal): Promise<readonly Transaction[]> {
  const list: Transaction[] = [];
  for (const header of headers) {
    if (list.length >= shownTransactions) break;
    if (header.transactionCount === 0n || header.blocksize > maxBlockBytes) continue;
    list.push(...(await transactionsOf(header, signal)).toReversed());
  }
  return list.slice(0, shownTransactions);
}

/** Requested by height. A block that has grown since then has another id and is as good. */
async function transactionsOf(header: Header, signal: AbortSignal): Promise<readonly Transaction[]> {
  const before = known.get(blockId(header));
  if (before !== undefined) return before;
  const block = await fetchJson<Block>(`/blocks/at/${header.height}`, signal);
  const oldest = known.keys().next();
  if (known.size >= maxKnown && oldest.done === false) known.delete(oldest.value);
  known.set(blockId(block), block.transactions);
  return block.transactions;
}
