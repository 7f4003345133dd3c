/** Which state the read model shows. */
import { encodeBase58 } from "../crypto/base58.ts";
import type { BlockchainSettings } from "../network/settings.ts";
import { addedLater, checked, flag, int, nullable, text } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const chainTable = table({
  name: "chain",
  comment: `One row: which state the other tables show. version: the tip's block id (base58), the number of its
micro-blocks, and how its signature begins. epoch: grows when a final block was taken back by force. finalized_height: up to it blocks are final. identity: base58 of the
genesis block's signature or a dev chain's name, a slash, and a number drawn whenever the tables are written anew. sequence: number of the last
outbox entry that they hold. batch: name of the batch that was written last; the next one lands on it alone. is_whole: whether
they show one state, or several in parts. progress: how far they are on the way to one.`,
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

/** `progress` of a state that is too large for one batch: the others follow at once. Whole tables that are copied take longer. */
export const REST_OF_STATE = "what has changed is written";

/**
 * What the databases of a chain say of it: base58 of the signature that its settings have for the genesis block, "" where they
 * have none, and a dev chain's name.
 */
export function genesisText({ genesis }: Pick<BlockchainSettings, "genesis">): string {
  const known = genesisTexts.get(genesis);
  if (known !== undefined) return known;
  const made = genesis.devChain ?? encodeBase58(genesis.signature ?? new Uint8Array());
  genesisTexts.set(genesis, made);
  return made;
}

/** PERF: every reading of the read model compares it. */
const genesisTexts = new WeakMap<BlockchainSettings["genesis"], string>();

/** What stands in an identity before the height of the first block that is known, where that is not the first one. */
const HISTORY_MARK = "@";

/**
 * Names a read model of the chain.
 * @param drawn no other read model of any chain has it
 * @param historyFrom height of the first block that it has: it has no other one as long as it is not written anew
 */
export function identityOf(genesis: string, drawn: string, historyFrom: number): string {
  return `${genesis}/${drawn}${historyFrom > 1 ? `${HISTORY_MARK}${historyFrom}` : ""}`;
}

/** Height of the first block that a read model has: 1, save of a node that began with a checkpoint. */
export function historyFromOf(identity: string): number {
  const drawn = identity.slice(identity.indexOf("/") + 1);
  const at = drawn.indexOf(HISTORY_MARK);
  return at < 0 ? 1 : Number(drawn.slice(at + 1));
}

/** The chain that a read model says to show. @returns as `genesisText` */
export function genesisOf(identity: string): string {
  return identity.slice(0, Math.max(identity.indexOf("/"), 0));
}
