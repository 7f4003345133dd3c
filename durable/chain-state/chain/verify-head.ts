/** A block of which only the head is at hand: whether it can have a place in the chain, before its transactions are read. */
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { verifyHeader } from "../../../src/rules/blocks/verify-header.ts";
import {
  isGeneratingBalanceEnough,
  requiredGeneratingBalance,
} from "../../../src/rules/consensus/generating-balance.ts";
import { generatingBalanceAt } from "../../../src/rules/consensus/next-block.ts";
import { WHOLE_BLOCK } from "./committer.ts";
import type { Chain } from "./open-chain.ts";

/**
 * Checks the head against its parent where that is the tip. In another place only the generator's balance is looked at, as it
 * is at the tip: it is the least of many blocks, and changes little from one to the next.
 * @param block without transactions; its generator has signed it
 * @throws RuleError why it does not fit
 */
export function verifyHead({ view, forks }: Pick<Chain, "view" | "forks">, block: Block, nowMs: number): void {
  const place = forks.findPosition(block);
  if (place === undefined) return;
  if (place.height === view.height && place.step === WHOLE_BLOCK) {
    verifyHeader(block, view, { nowMs, verifyBlockSignature: false, verifyTransactionsRoot: false });
    return;
  }
  const { generator, challengedHeader, timestamp } = block.header;
  const balanceOf = (key: PublicKey) => generatingBalanceAt(view, addressOfPublicKey(key, view.settings.chainId));
  // What a challenger may count as its own.
  const bonus = challengedHeader === undefined ? 0n : balanceOf(challengedHeader.generator);
  const generatingBalance = balanceOf(generator) + bonus;
  const { functionality } = view.settings;
  const facts = {
    generatingBalance,
    parentHeight: place.height,
    blockTimestampMs: timestamp,
    features: view,
    functionality,
  };
  if (isGeneratingBalanceEnough(facts)) return;
  throw new RuleError({
    code: "generatingBalanceTooLow",
    generator: addressText(addressOfPublicKey(generator, view.settings.chainId)),
    required: requiredGeneratingBalance(place.height, view),
    got: generatingBalance,
  });
}
