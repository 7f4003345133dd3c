/** Consecutive blocks as the interface prints them. */
import type { BlockchainSettings } from "../../network/settings.ts";
import { type BlockRange, firstHeadersQuery, type StoredHeader } from "../../read-model/block.ts";
import type { Chain } from "../../read-model/chain.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import { transactionsOfFirstBlocksQuery } from "../../read-model/transaction.ts";
import { type IdentifiedJson, storedBlockJson } from "../json/block.ts";
import { readLimitBytes } from "../read-limit.ts";

export interface BlockRun {
  readonly chain: Chain;
  readonly blocks: readonly IdentifiedJson[];
  /** Start of the rest of the range; undefined: there is none. */
  readonly next: number | undefined;
}

interface BlockRunOptions {
  readonly model: ReadModel;
  readonly settings: BlockchainSettings;
  /** See `ReadModel.readFinal`. */
  readonly isFinal?: boolean;
}

/** Reads blocks of a range from its lowest height on, up to the read limit. @throws as `ReadModel.read` */
export async function readBlockRun(
  range: BlockRange,
  { model, settings, isFinal = false }: BlockRunOptions,
): Promise<BlockRun> {
  const queries = [
    firstHeadersQuery(range, readLimitBytes),
    transactionsOfFirstBlocksQuery(range, readLimitBytes),
  ] as const;
  const { chain, values } = await (isFinal ? model.readFinal(...queries) : model.read(...queries));
  const [{ headers, isAll }, transactions] = values;
  const blocks = headers.map((stored) => storedBlockJson(stored, transactions.get(stored.height) ?? [], settings));
  const next = isAll ? undefined : (headers.at(-1) as StoredHeader).height + 1;
  return { chain, blocks, next };
}
