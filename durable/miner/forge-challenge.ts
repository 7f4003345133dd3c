/**
 * Makes the block that challenges another one: on the same parent, with the same transactions, by an account of ours that comes
 * before its generator.
 * @source spec/snapshots-and-state-hash.md 5.3; Waves: mining/BlockChallenger.scala
 */
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { KeyPair, Signature } from "../../src/crypto/identities.ts";
import type { RandomSource } from "../../src/crypto/random.ts";
import type { Block, BlockId } from "../../src/protocol/blocks/block.ts";
import { challengedHeaderOf } from "../../src/protocol/blocks/block-signature.ts";
import { buildBlock } from "../../src/protocol/blocks/build-block.ts";
import { addTransactions, openBlock, type ParentFacts, placing } from "../../src/rules/blocks/apply-block.ts";
import { generatingBalanceAt } from "../../src/rules/consensus/next-block.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import type { GeneratorDraws } from "./generator-draw.ts";
import { miningSchedule } from "./mining-schedule.ts";
import { type OwnVotes, ownHeader } from "./own-header.ts";

export interface ChallengeFacts {
  /** The state on which both blocks stand. */
  readonly view: StateView;
  readonly parent: ParentFacts;
  /** Nothing but its state hash is wrong. Of a liquid block, its last form. */
  readonly challenged: Block;
  readonly accounts: Iterable<KeyPair>;
  readonly draws: GeneratorDraws;
  readonly node: OwnVotes;
  readonly random: RandomSource;
}

/** @returns undefined: none of the accounts has its turn before the challenged block's time */
export function forgeChallenge({
  view,
  parent,
  challenged,
  node,
  random,
  ...facts
}: ChallengeFacts): Block | undefined {
  const { chainId } = view.settings;
  const { header, transactions } = challenged;
  const others = Array.from(facts.accounts).filter(({ publicKey }) => !equalBytes(publicKey, header.generator));
  const bonus = generatingBalanceAt(view, addressOfPublicKey(header.generator, chainId));
  const { next } = miningSchedule(view, others, facts.draws, bonus);
  if (next === undefined || next.timestampMs >= header.timestamp) return undefined;
  const { account, draw, timestampMs: timestamp } = next;
  const { version } = header;
  const draft = {
    ...ownHeader({ view, version, timestamp, generator: account.publicKey, draw, node }),
    transactionsRoot: header.transactionsRoot,
    challengedHeader: challengedHeaderOf(challenged),
  };
  // Scripts may read of the header what they will read in the block.
  const signed = { header: draft, signature: unsigned, id: unnamed };
  const { run } = openBlock(view, draft, draw.hitSource, transactions, parent, { verifySignatures: true, signed });
  addTransactions(run, transactions, placing({ verifySignatures: true }, true));
  const { privateKey } = account;
  return buildBlock({ header: { ...draft, stateHash: run.stateHash }, transactions, privateKey, chainId, random });
}

const unsigned = new Uint8Array(64) as Signature;
const unnamed = new Uint8Array(32) as Uint8Array & BlockId;
