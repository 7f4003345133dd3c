/** State of the read model. */
import { encodeBase58 } from "../crypto/base58.ts";
import type { BlockchainSettings } from "../network/settings.ts";
import { addedLater, checked, flag, int, nullable, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const chainTable = table({
  name: "chain",
  comment: `One row: the state that the other tables show. version: the tip's block id (base58), the number of its
micro-blocks, and the start of its signature. epoch: grows when the owner rolls back a final block. finalized_height: height
of the last final block. identity: base58 of the genesis block's signature or a dev chain's name, a slash, and a number drawn
whenever the tables are rewritten. sequence: number of the last outbox entry in the tables. batch: name of the last batch; the
next one succeeds only after it. is_whole: whether they show one state, or parts of several. progress: progress towards one.`,
  key: ["id"],
  columns: {
    id: checked(int, "id = 1"),
    version: text,
    epoch: int,
    height: int,
    publishedAt: int,
    finalizedHeight: addedLater(int, 1),
    identity: addedLater(text, ""),
    sequence: addedLater(int, 0),
    batch: addedLater(text, ""),
    isWhole: addedLater(flag, true),
    progress: addedLater(nullable(text), undefined),
  },
  published: false,
  inCheckpoint: "none",
});

/**
 * `progress` of a state that is too large for one batch: the other batches follow at once. Copying whole tables takes
 * longer.
 */
export const PARTIAL_STATE = "what has changed is written";

/**
 * Identifies the chain in its databases: base58 of the genesis block's signature in the settings, "" if they have none,
 * or the name of a dev chain.
 */
export function genesisText({ genesis }: Pick<BlockchainSettings, "genesis">): string {
  const known = genesisTexts.get(genesis);
  if (known !== undefined) return known;
  const text = genesis.devChain ?? encodeBase58(genesis.signature ?? new Uint8Array());
  genesisTexts.set(genesis, text);
  return text;
}

/** PERF: every reading of the read model compares it. */
const genesisTexts = new WeakMap<BlockchainSettings["genesis"], string>();

/** Separator before the height of the first known block in an identity, if that is not block 1. */
const HISTORY_MARK = "@";

/**
 * Name of a read model of the chain.
 * @param drawn random text that no other read model has
 * @param historyFrom height of its first block, which changes only if the read model is rewritten
 */
export function identityOf(genesis: string, drawn: string, historyFrom: number): string {
  return `${genesis}/${drawn}${historyFrom > 1 ? `${HISTORY_MARK}${historyFrom}` : ""}`;
}

/** Height of a read model's first block: 1, except on a node that began with a checkpoint. */
export function historyFromOf(identity: string): number {
  const drawn = identity.slice(identity.indexOf("/") + 1);
  const at = drawn.indexOf(HISTORY_MARK);
  return at < 0 ? 1 : Number(drawn.slice(at + 1));
}

/** Chain of a read model. @returns as `genesisText` */
export function genesisOf(identity: string): string {
  return identity.slice(0, Math.max(identity.indexOf("/"), 0));
}
