/**
 * Makes the block that challenges another one: on the same parent, with the same transactions, by an account of ours that comes
 * before its generator.
 * @source docs/protocol/snapshots-and-state-hash.md 5.3; Waves: mining/BlockChallenger.scala
 */
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { KeyPair, Signature } from "../../src/crypto/identities.ts";
import type { RandomSource } from "../../src/crypto/random.ts";
import type { Block, BlockId } from "../../src/protocol/blocks/block.ts";
import { challengedHeaderOf } from "../../src/protocol/blocks/block-signature.ts";
import { buildBlock } from "../../src/protocol/blocks/build-block.ts";
import { encodeBlock } from "../../src/protocol/blocks/parse-block.ts";
import { messageTable } from "../../src/protocol/messages/message-table.ts";
import type { ScriptWork } from "../../src/ride/evaluator/script-work.ts";
import {
  addTransactions,
  judgeOrElide,
  openBlock,
  type ParentFacts,
  type PlaceTransaction,
} from "../../src/rules/blocks/apply-block.ts";
import type { JudgedTransaction } from "../../src/rules/blocks/block-run.ts";
import { generatingBalanceAt } from "../../src/rules/consensus/next-block.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import { ChallengeTooCostly, ElidedWork } from "./elided-work.ts";
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
  /** Counts what the transactions take. */
  readonly work?: ScriptWork | undefined;
}

export interface ForgedChallenge {
  readonly block: Block;
  /** Places its transactions with what they did here: on the same parent none needs to be run again. */
  readonly place: PlaceTransaction;
}

/**
 * @returns undefined: none of the accounts has its turn before the challenged block's time
 * @throws ChallengeTooCostly
 */
export function forgeChallenge(facts: ChallengeFacts): ForgedChallenge | undefined {
  const { view, parent, challenged, node, random, work: counted } = facts;
  const { chainId } = view.settings;
  const { header: wrong, transactions } = challenged;
  const others = Array.from(facts.accounts).filter(({ publicKey }) => !equalBytes(publicKey, wrong.generator));
  const bonus = generatingBalanceAt(view, addressOfPublicKey(wrong.generator, chainId));
  const { next } = miningSchedule(view, others, facts.draws, bonus);
  if (next === undefined || next.timestampMs >= wrong.timestamp) return undefined;
  const { account, draw, timestampMs: timestamp } = next;
  const { version, transactionsRoot } = wrong;
  const draft = {
    ...ownHeader({ view, version, timestamp, generator: account.publicKey, draw, node }),
    transactionsRoot,
    challengedHeader: challengedHeaderOf(challenged),
  };
  expectSendable({ header: draft, signature: unsigned, id: unnamed, transactions }, chainId);
  // Scripts may read of the header what they will read in the block.
  const signed = { header: draft, signature: unsigned, id: unnamed };
  const { run } = openBlock(view, draft, draw.hitSource, transactions, parent, {
    ...{ verifySignatures: true, signed, work: counted },
  });
  const judged: JudgedTransaction[] = [];
  const work = new ElidedWork();
  addTransactions(run, transactions, (_, transaction) => {
    const one = judgeOrElide(run, transaction, undefined, work.add);
    judged.push(one);
    run.place(one);
  });
  const header = { ...draft, stateHash: run.stateHash };
  const { privateKey } = account;
  return {
    block: buildBlock({ header, transactions, privateKey, chainId, random }),
    place: (again, _, index) => again.place(judged[index] as JudgedTransaction),
  };
}

/** The wrong state hash may fill a message by itself: whoever sends a longer one is shut out. @throws ChallengeTooCostly */
function expectSendable(draft: Block, chainId: number): void {
  const sizeBytes = encodeBlock(draft, chainId).length + STATE_HASH_FIELD_BYTES;
  const { maxBytes } = messageTable.block;
  if (sizeBytes > maxBytes)
    throw new ChallengeTooCostly(`it would have ${sizeBytes} bytes, and a message has ${maxBytes} at most`);
}

/** With its tag, its length, and what they may add to the length of the header's length. */
const STATE_HASH_FIELD_BYTES = 35;
const unsigned = new Uint8Array(64) as Signature;
const unnamed = new Uint8Array(32) as Uint8Array & BlockId;
