/** Check of a checkpoint's tables about a block against the block itself. */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { Feature } from "../../../src/network/features.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import { blockId } from "../../../src/protocol/blocks/parse-block.ts";
import { nextBlockReward } from "../../../src/rules/consensus/block-reward.ts";
import { blockScore } from "../../../src/rules/consensus/block-score.ts";
import { issuedWithBlock } from "../../../src/rules/consensus/reward-shares.ts";
import { commitmentDeposit } from "../../../src/rules/finality/deposit.ts";
import { finalizedAfter } from "../../../src/rules/finality/finalized-height.ts";
import { type BlockRow, transactionTable } from "../../../src/tables/blocks.ts";
import type { StateStore } from "../state/state-store.ts";
import type { PastView } from "./past-view.ts";

/** Checks the values that follow from the block alone. @returns end of a sentence; undefined: no error */
export function findBlockRowError(
  row: BlockRow,
  { header, signature, id, transactions }: Block,
  chainId: number,
): string | undefined {
  if (!equalBytes(blockId({ header, signature }, chainId), id)) return "its id does not match";
  if (header.timestamp !== row.timestamp) return "its timestamp does not match";
  if (!equalBytes(addressOfPublicKey(header.generator, chainId), row.generator)) return "its generator does not match";
  if (transactions.length !== row.transactionCount) return "its number of transactions does not match";
  if (header.rewardVote !== row.rewardVote) return "its vote for the reward does not match";
  if (header.stateHash !== undefined && !equalBytes(header.stateHash, row.stateHash))
    return "its state hash does not match its header";
  const vrf = header.version >= BlockVersion.Protobuf ? row.hitSource : undefined;
  return equalBytes(vrf ?? noBytes, row.vrf ?? noBytes) ? undefined : "its VRF output does not match";
}

const noBytes = new Uint8Array(0);

/** Checks the ids, types and positions of the block's transactions. @returns as `findBlockRowError` */
export function findTransactionRowsError(
  store: StateStore,
  height: number,
  { transactions }: Block,
): string | undefined {
  const rows = store.query(transactionTable, "WHERE height = ? ORDER BY position", height);
  for (const [index, transaction] of transactions.entries()) {
    const row = rows[index];
    if (row?.position !== index) return `it has no transaction ${index}`;
    if (!equalBytes(row.id, transaction.id)) return `the id of its transaction ${index} does not match`;
    if (row.type !== transaction.type) return `the type of its transaction ${index} does not match`;
  }
  return undefined;
}

/**
 * Checks the totals that grow from block to block.
 * @param view at the parent
 * @param firstHeight first block in the checkpoint
 * @returns as `findBlockRowError`
 */
export function findTotalsError(
  row: BlockRow,
  parent: BlockRow,
  block: Block,
  view: PastView,
  firstHeight: number,
): string | undefined {
  const { functionality, rewards } = view.settings;
  const { height, reward } = row;
  if (row.score !== parent.score + blockScore(block.header.baseTarget)) return "its score does not match";
  if (!finalizedHeightsAfter(parent, view).includes(row.finalizedHeight)) return "its finalized height is impossible";
  let areVotesKnown = true;
  const voteAt = (voter: number): bigint => {
    areVotesKnown &&= voter >= firstHeight;
    return view.rewardVote(voter);
  };
  const votes = { parentHeight: parent.height, parentReward: parent.reward, voteAt };
  if (nextBlockReward({ ...votes, features: view, rewards }) !== reward && areVotesKnown)
    return "its reward does not match";
  // The parent's voting counts the punished generators; who they are is in tables that are not verified yet.
  const punished = view.findHeader(parent.height)?.header.finalizationVoting?.conflictEndorsements.length ?? 0;
  const burnt = BigInt(punished) * commitmentDeposit;
  const wavesAmount = parent.wavesAmount + issuedWithBlock({ reward, height, features: view, functionality }) - burnt;
  return row.wavesAmount === wavesAmount ? undefined : "the amount of WAVES after it does not match";
}

/**
 * Possible finalized heights after the block that follows the parent: whether two thirds have endorsed the parent
 * depends on balances of that time.
 */
function finalizedHeightsAfter({ height, finalizedHeight }: BlockRow, view: PastView): readonly number[] {
  const after = (isParentFinalized: boolean): number => finalizedAfter(height + 1, finalizedHeight, isParentFinalized);
  // Earlier releases stored no finalized height before the feature.
  return [after(false), view.isActive(Feature.DeterministicFinality, height + 1) ? after(true) : 1];
}

/** Checks the genesis block, which follows from the settings. @returns as `findBlockRowError` */
export function findGenesisRowError(row: BlockRow, settings: BlockchainSettings): string | undefined {
  const { header, id } = genesisBlock(settings);
  if (!equalBytes(row.id, id)) return "it is not the genesis block of this chain";
  return row.score === blockScore(header.baseTarget) ? undefined : "its score does not match";
}
