/** Check whether a block can belong to the chain, by its head alone, before its transactions are read. */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { verifyGeneratingBalance, verifyHeader } from "../../../src/rules/blocks/verify-header.ts";
import { generatingBalanceAt } from "../../../src/rules/consensus/next-block.ts";
import { WHOLE_BLOCK } from "./committer.ts";
import type { Chain } from "./open-chain.ts";

/**
 * Checks the head against its parent if that is the tip. At another position only the generating balance is checked, as
 * it is at the tip: it is the lowest one of many blocks, and changes little from one block to the next.
 * @param block without transactions; its generator has signed it
 * @throws RuleError if the block does not fit
 */
export function verifyHead({ view, forks }: Pick<Chain, "view" | "forks">, block: Block, nowMs: number): void {
  const position = forks.findPosition(block);
  if (position === undefined) return;
  if (position.height === view.height && position.step === WHOLE_BLOCK) {
    verifyHeader(block, view, { nowMs, verifyBlockSignature: false, verifyTransactionsRoot: false });
    return;
  }
  const { generator, challengedHeader } = block.header;
  const balanceOf = (key: PublicKey) => generatingBalanceAt(view, addressOfPublicKey(key, view.settings.chainId));
  // Balance that a challenger may add to its own.
  const bonus = challengedHeader === undefined ? 0n : balanceOf(challengedHeader.generator);
  verifyGeneratingBalance(block.header, balanceOf(generator) + bonus, position.height, view);
}
