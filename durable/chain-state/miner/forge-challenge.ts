/**
 * Forging of a block that challenges another one: on the same parent, with the same transactions, by an account of ours
 * whose turn is before its generator's.
 * @source docs/protocol/snapshots-and-state-hash.md 5.3; Waves: mining/BlockChallenger.scala
 */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { KeyPair, Signature } from "../../../src/crypto/identities.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import type { Block, BlockHeader, BlockId } from "../../../src/protocol/blocks/block.ts";
import { challengedHeaderOf } from "../../../src/protocol/blocks/block-signature.ts";
import { buildBlock } from "../../../src/protocol/blocks/build-block.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { messageTable } from "../../../src/protocol/messages/message-table.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import {
  addTransactions,
  executeOrElide,
  type IncludeTransaction,
  openBlock,
  type ParentInfo,
} from "../../../src/rules/blocks/apply-block.ts";
import type { BlockRun, ExecutedTransaction } from "../../../src/rules/blocks/block-run.ts";
import { generatingBalanceAt } from "../../../src/rules/consensus/next-block.ts";
import { DataSpellings } from "../../../src/rules/state/data-spellings.ts";
import { FirstVerdicts } from "../../../src/rules/state/foreign-addresses.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import type { WorkSlice } from "../chain/work-slice.ts";
import { ChallengeTooCostly, ElidedWork } from "./elided-work.ts";
import type { GeneratorDraw, GeneratorDraws } from "./generator-draw.ts";
import { miningSchedule } from "./mining-schedule.ts";
import { type OwnVotes, ownHeader } from "./own-header.ts";

export interface BeginChallengeOptions {
  /** State before both blocks. */
  readonly view: StateView;
  /** Block that is valid except for its state hash. Of a liquid block, its last form. */
  readonly challenged: Block;
  readonly accounts: Iterable<KeyPair>;
  readonly draws: GeneratorDraws;
  readonly node: OwnVotes;
  readonly random: RandomSource;
}

export interface ForgedChallenge {
  readonly block: Block;
  /** Includes the transactions with their known effects: on the same parent none needs to be run again. */
  readonly include: IncludeTransaction;
}

/**
 * @returns undefined: none of the accounts has its turn before the challenged block's timestamp
 * @throws ChallengeTooCostly
 */
export function beginChallenge(options: BeginChallengeOptions): PendingChallenge | undefined {
  const { view, challenged, node, random } = options;
  const { chainId } = view.settings;
  const { header: challengedHeader, transactions } = challenged;
  const others = Array.from(options.accounts).filter(
    ({ publicKey }) => !equalBytes(publicKey, challengedHeader.generator),
  );
  const bonus = generatingBalanceAt(view, addressOfPublicKey(challengedHeader.generator, chainId));
  const { next } = miningSchedule(view, others, options.draws, bonus);
  if (next === undefined || next.timestampMs >= challengedHeader.timestamp) return undefined;
  const { account, draw, timestampMs: timestamp } = next;
  const { version, transactionsRoot } = challengedHeader;
  const draft = {
    ...ownHeader({ view, version, timestamp, generator: account.publicKey, draw, node }),
    transactionsRoot,
    challengedHeader: challengedHeaderOf(challenged),
  };
  assertSendable({ header: draft, signature: unsigned, id: unnamed, transactions }, chainId);
  return new PendingChallenge({ draft, transactions, account, draw, random });
}

interface Draft {
  readonly draft: BlockHeader;
  readonly transactions: readonly Transaction[];
  readonly account: KeyPair;
  readonly draw: GeneratorDraw;
  readonly random: RandomSource;
}

/**
 * Challenge whose transactions are run over several calls. It holds the effects of the transactions run so far in
 * memory.
 */
export class PendingChallenge {
  readonly #draft: Draft;
  readonly #executed: ExecutedTransaction[] = [];
  readonly #elided = new ElidedWork();
  readonly #foreignAddresses = new FirstVerdicts();
  readonly #spellings = new DataSpellings();

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /**
   * Runs the transactions that earlier calls have not run.
   * @param view state before both blocks, the same in each call
   * @param work counts the work of the transactions; by default they are run in one call
   * @throws SliceSpent: another call continues; ChallengeTooCostly
   */
  goOn(view: StateView, parent: ParentInfo, work?: WorkSlice): ForgedChallenge {
    const { draft, transactions, account, draw, random } = this.#draft;
    const spellings = this.#spellings;
    // The spellings are collected again when the transactions are included.
    spellings.clearFirstReads();
    // Scripts read the same header fields as in the final block.
    const signed = { header: draft, signature: unsigned, id: unnamed };
    const { run } = openBlock(view, draft, draw.hitSource, transactions, parent, {
      ...{ verifySignatures: true, signed, work, foreignAddresses: this.#foreignAddresses, spellings },
    });
    addTransactions(run, transactions, (_, transaction, index) =>
      run.include(this.#execute(run, transaction, index, work)),
    );
    const header = { ...draft, stateHash: run.stateHash };
    const { chainId } = view.settings;
    return {
      block: buildBlock({ header, transactions, privateKey: account.privateKey, chainId, random }),
      include: (again, _, index) => again.include(this.#executed[index] as ExecutedTransaction),
    };
  }

  #execute(run: BlockRun, transaction: Transaction, index: number, work: WorkSlice | undefined): ExecutedTransaction {
    const known = this.#executed[index];
    if (known !== undefined) return known;
    work?.assertBudget();
    const executed = executeOrElide(run, transaction, undefined, this.#elided.add);
    this.#executed.push(executed);
    work?.noteFound();
    return executed;
  }
}

/**
 * The wrong state hash may fill a message by itself, and a node with a longer message is blacklisted.
 * @throws ChallengeTooCostly
 */
function assertSendable(draft: Block, chainId: number): void {
  const sizeBytes = encodeBlock(draft, chainId).length + STATE_HASH_FIELD_BYTES;
  const { maxBytes } = messageTable.block;
  if (sizeBytes > maxBytes)
    throw new ChallengeTooCostly(`it would have ${sizeBytes} bytes, more than the ${maxBytes} of a message`);
}

/** State hash with its tag and length, and their effect on the length of the header's length field. */
const STATE_HASH_FIELD_BYTES = 35;
const unsigned = new Uint8Array(64) as Signature;
const unnamed = new Uint8Array(32) as Uint8Array & BlockId;
