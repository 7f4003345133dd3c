/** Counts of endorsements in the blocks of a chain, by generator and endorser. */

import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import { generatorsAfter } from "../../../src/rules/finality/generator-set.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";

export interface EndorsementCounts {
  readonly blocks: number;
  /** Blocks with a voting. */
  readonly votings: number;
  readonly ownBlocks: number;
  /** Blocks of the account that list endorsers. */
  readonly othersByOwn: number;
  /** Blocks of others that list the account. */
  readonly ownByOthers: number;
}

/** Counts the endorsements in all blocks of the view, from the perspective of one account. */
export function countEndorsements(view: StateView, own: Address): EndorsementCounts {
  const counts = { blocks: view.height, votings: 0, ownBlocks: 0, othersByOwn: 0, ownByOthers: 0 };
  for (let height = 2; height <= view.height; height++) {
    const { generator, finalizationVoting } = headerAt(view, height).header;
    const isOwn = equalBytes(addressOfPublicKey(generator, view.settings.chainId), own);
    if (isOwn) counts.ownBlocks++;
    if (finalizationVoting === undefined) continue;
    counts.votings++;
    const { endorserIndexes } = finalizationVoting;
    const { committed } = generatorsAfter(height - 1, view);
    const ownIndex = committed.findIndex(({ address }) => equalBytes(address, own));
    if (isOwn && endorserIndexes.length > 0) counts.othersByOwn++;
    if (!isOwn && endorserIndexes.includes(ownIndex)) counts.ownByOthers++;
  }
  return counts;
}
