/** Blocks with a right or a wrong state hash, and blocks that challenge the wrong ones. */
import type { Chain } from "../../../durable/chain/open-chain.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Digest, KeyPair } from "../../../src/crypto/identities.ts";
import type { Block, BlockHeader, ChallengedHeader } from "../../../src/protocol/blocks/block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { addTransactions, openBlock, placing } from "../../../src/rules/blocks/apply-block.ts";
import { delayAfter, generatingBalanceAt, headerAt } from "../../../src/rules/consensus/next-block.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { blockAfter, drawOf, turnOf } from "./next-block.ts";

export const wrongStateHash = new Uint8Array(32).fill(1) as Digest;

type Fields = Partial<BlockHeader> & { readonly key: KeyPair; readonly transactions?: readonly Transaction[] };

/** A block after the chain's tip with the state hash that it must have. */
export function validBlock({ view, stored }: Chain, { transactions = [], ...fields }: Fields): Block {
  const { challengedHeader, key } = fields;
  const timestamp = fields.timestamp ?? turnOf(view, key);
  const opening = { ...blockAfter(view, { ...fields, timestamp }).header, challengedHeader };
  const tip = stored.tip();
  const parent = { carryFee: tip.carryFee, transactions: () => stored.transactionsAt(tip.height) };
  const options = { verifySignatures: true };
  const { run } = openBlock(view, opening, drawOf(view, key).hitSource, transactions, parent, options);
  addTransactions(run, transactions, placing(options, challengedHeader !== undefined));
  return blockAfter(view, { stateHash: run.stateHash, ...fields, timestamp, transactions });
}

/** The same with a wrong state hash. */
export function wrongBlock({ view }: Chain, fields: Fields): Block {
  return blockAfter(view, { stateHash: wrongStateHash, ...fields });
}

/** What a challenging block keeps of the block that it replaces. */
export function challengedHeaderOf({ header, signature }: Block): ChallengedHeader {
  const { timestamp, baseTarget, generationSignature, featureVotes, generator } = header;
  const { rewardVote, stateHash, finalizationVoting } = header;
  return {
    ...{ timestamp, baseTarget, generationSignature, featureVotes, generator },
    ...{ rewardVote, stateHash, headerSignature: signature, finalizationVoting },
  };
}

/** A block that challenges another one, valid unless the fields say otherwise. */
export function challengingBlock(chain: Chain, original: Block, fields: Fields): Block {
  return validBlock(chain, {
    timestamp: challengeTurn(chain.view, fields.key, original),
    challengedHeader: challengedHeaderOf(original),
    transactions: original.transactions,
    ...fields,
  });
}

/** The earliest timestamp of a block of the account that challenges the other one. */
export function challengeTurn(view: StateView, key: KeyPair, original: Block): bigint {
  const balanceOf = (publicKey: KeyPair["publicKey"]) =>
    generatingBalanceAt(view, addressOfPublicKey(publicKey, view.settings.chainId));
  const balance = balanceOf(key.publicKey) + balanceOf(original.header.generator);
  return headerAt(view, view.height).header.timestamp + delayAfter(view, drawOf(view, key).delaySource, balance);
}
