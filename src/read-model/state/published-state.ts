/**
 * Questions to the rules, answered from the read model: wherever the Worker runs, without waking ChainState. The rows that
 * they read are kept from question to question, for as long as the state is the newest.
 */

import type { Address } from "../../crypto/identities.ts";
import type { BlockchainSettings } from "../../network/settings.ts";
import type { IsolateMemory, MemoryRegion } from "../../platform/isolate-memory.ts";
import { textBytes } from "../../platform/isolate-memory.ts";
import type { ScriptTurn } from "../../platform/work-turns.ts";
import { WorkMeter } from "../../ride/evaluator/work-meter.ts";
import type { Commitment } from "../../rules/finality/commitment.ts";
import type { StateView } from "../../rules/state/state-view.ts";
import { historyFromOf } from "../../tables/chain.ts";
import { commitmentTable } from "../../tables/commitments.ts";
import { bindCell } from "../../tables/schema/cell.ts";
import { commitmentOf } from "../../tables/view/committed-periods.ts";
import type { RowSource } from "../../tables/view/row-source.ts";
import { TableView } from "../../tables/view/table-view.ts";
import { type Chain, isBehind, isSameState } from "../chain.ts";
import type { SeenState } from "../latest-state.ts";
import type { ReadModel } from "../read-model.ts";
import { AskedRows } from "./asked-rows.ts";
import { KnownRows } from "./known-rows.ts";
import type { RowQuestion } from "./row-question.ts";

/** Complexity that the scripts of a transaction may spend. */
const CALL_COMPLEXITY = 52_000;
/**
 * How often that much, or what an evaluation may, all attempts at a question may spend together. Each attempt reads at least one
 * row that the one before did not know.
 */
const MAX_REPEATED = 2;
/** Complexity that an attempt counts for besides its scripts: a batch of rows, a transaction's signatures. */
const ATTEMPT_COMPLEXITY = 500;
/** Between two attempts it is looked whether there is time for another: rows come from far, and each begins anew. */
const MAX_MS = 10_000;
/** Rows that one question may read. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Rows that are fetched because the same question wanted them of an earlier state. */
const MAX_FORESEEN = 100;

interface PublishedViewOptions {
  readonly settings: BlockchainSettings;
  readonly historyFrom: number;
  readonly workMeter: WorkMeter;
}

/** The state as it is asked about. */
class PublishedView extends TableView {
  override readonly mayRefuseWork = true;
  readonly workMeter: WorkMeter;
  readonly #rows: RowSource;
  readonly #historyFrom: number;

  constructor(store: RowSource, { settings, historyFrom, workMeter }: PublishedViewOptions) {
    super(store, settings);
    this.#rows = store;
    this.#historyFrom = historyFrom;
    this.workMeter = workMeter;
  }

  override get historyFrom(): number {
    return this.#historyFrom;
  }

  /** Assets are numbered where they are written: nobody who asks sees it, and the read model has no index for it. */
  override assetsIssuedInBlock(): number {
    return 0;
  }

  /** Of a period with thousands of commitments a question reads the one that it is about. */
  override findCommitment(periodStart: number, address: Address): Commitment | undefined {
    const [row] = this.#rows.query(
      commitmentTable,
      "WHERE address = ? AND period_start = ?",
      bindCell(address),
      periodStart,
    );
    return row && commitmentOf(row);
  }

  override commitmentCount(periodStart: number): number {
    return Number(this.#rows.scalar("SELECT COUNT(*) FROM commitment WHERE period_start = ?", periodStart));
  }
}

/** A question that reads more, or asks longer, than a question may. */
export class QuestionTooLarge extends Error {
  override readonly name = "QuestionTooLarge";
}

export interface PublishedStateFacts {
  readonly settings: BlockchainSettings;
  /** The read model has of the state what somebody has asked for. */
  readonly isFork?: boolean;
  /** Complexity that an evaluation may spend. Default: as a call. */
  readonly evaluationComplexity?: number;
  readonly memory: IsolateMemory;
  readonly nowMs: () => number;
}

/** How a question is asked. */
export interface Asking {
  /** The reading of the request. */
  readonly model: ReadModel;
  /** The newest state where somebody knows it, or is about to: then D1 is asked only for rows that nobody has asked for. */
  readonly newest: () => Promise<SeenState | undefined>;
  /** Questions of the same kind mostly read the same rows: of a new state they are fetched in one batch. */
  readonly kind?: string | undefined;
  /** Of a question that runs scripts: each attempt waits for it. */
  readonly turn?: ScriptTurn | undefined;
}

/** What was answered, and the state that it is about. */
export interface AboutState<Answer> {
  readonly chain: Chain;
  readonly answer: Answer;
}

/** A state with what is known of it. */
interface KnownState {
  readonly chain: Chain;
  readonly rows: KnownRows;
}

/** The only place of its region. */
const NEWEST = "newest";

export class PublishedState {
  readonly #facts: PublishedStateFacts;
  readonly #states: MemoryRegion<KnownState>;
  /** What questions of a kind have asked for, the last time that rows had to be fetched for one. */
  readonly #habits: MemoryRegion<readonly RowQuestion[]>;

  constructor(facts: PublishedStateFacts) {
    this.#facts = facts;
    this.#states = facts.memory.region("state rows", ({ rows }) => rows.sizeBytes);
    this.#habits = facts.memory.region("habit", habitBytes);
  }

  /**
   * What `ask` answers on the newest published state.
   * @param ask asked several times, about views that lack rows at first: it must do nothing else but answer
   * @throws ReadModelUnavailable, QuestionTooLarge, WorkExceeded; StateChanged: the request has read an earlier one before
   */
  async ask<Answer>(
    { model, newest, kind, turn }: Asking,
    ask: (view: StateView) => Answer,
  ): Promise<AboutState<Answer>> {
    const { settings, nowMs, isFork, evaluationComplexity = CALL_COMPLEXITY } = this.#facts;
    const endMs = nowMs() + MAX_MS;
    const habit = kind === undefined ? undefined : this.#habits.find(kind);
    const workMeter = new WorkMeter(MAX_REPEATED * Math.max(CALL_COMPLEXITY, evaluationComplexity));
    let state = await this.#begin(model, newest, habit ?? []);
    for (let attempt = 0; ; attempt++) {
      const { chain, rows } = state;
      await turn?.begin();
      const spentBefore = workMeter.spentComplexity;
      workMeter.beginAttempt(ATTEMPT_COMPLEXITY);
      const asked = new AskedRows(rows, { chainId: settings.chainId, isWhole: !isFork, workMeter });
      const view = new PublishedView(asked, { settings, historyFrom: historyFromOf(chain.identity), workMeter });
      const answer = answerOf(() => ask(view));
      turn?.spent(workMeter.spentComplexity - spentBefore);
      if (workMeter.isExhausted) {
        // The rows that are known by now let the same question come further the next time.
        if (kind !== undefined) this.#keepHabit(kind, asked);
        throw new QuestionTooLarge(
          `no answer after ${attempt + 1} attempts with ${workMeter.spentComplexity} complexity`,
        );
      }
      const { missing } = asked;
      if (missing.length === 0) {
        model.see(chain);
        if (kind !== undefined && (habit === undefined || attempt > 0)) this.#keepHabit(kind, asked);
        return { chain, answer: answer() };
      }
      if (nowMs() > endMs) throw new QuestionTooLarge(`no answer after ${attempt + 1} batches of rows in ${MAX_MS} ms`);
      if (rows.sizeBytes > MAX_BYTES) throw new QuestionTooLarge(`no answer with ${rows.sizeBytes} bytes of rows`);
      state = await this.#fetch(model, missing, state);
    }
  }

  /** A state to ask about, with the rows that are likely to be wanted. */
  async #begin(model: ReadModel, newest: Asking["newest"], habit: readonly RowQuestion[]): Promise<KnownState> {
    // Where no rows are known they must be fetched anyway, and the state comes with them.
    const kept = this.#states.find(NEWEST);
    const chain = kept === undefined ? undefined : (await newest())?.chain;
    if (kept === undefined || chain === undefined) return this.#fetch(model, habit);
    const state = isSameState(kept.chain, chain) ? kept : this.#stateOf(chain);
    const wanted = habit.filter(({ name }) => state.rows.find(name) === undefined);
    return wanted.length === 0 ? state : this.#fetch(model, wanted, state);
  }

  /**
   * Fetches rows, of whatever state is the newest then.
   * @param before the state that was asked about so far
   * @throws ReadModelUnavailable
   */
  async #fetch(model: ReadModel, questions: readonly RowQuestion[], before?: KnownState): Promise<KnownState> {
    const { chain, values } = await model.readAny(...questions.map(({ query }) => query()));
    const state = before !== undefined && isSameState(before.chain, chain) ? before : this.#stateOf(chain);
    for (const [index, { keep }] of questions.entries()) keep(values[index] ?? [], state.rows);
    this.#keep(state);
    return state;
  }

  /** What is known of the state; nothing, where it is another one than the newest. */
  #stateOf(chain: Chain): KnownState {
    const kept = this.#states.find(NEWEST);
    return kept !== undefined && isSameState(kept.chain, chain) ? kept : { chain, rows: new KnownRows() };
  }

  #keep(state: KnownState): void {
    const kept = this.#states.find(NEWEST);
    // An answer that was long on its way does not drive out what is newer.
    if (kept === undefined || !isBehind(state.chain, kept.chain)) this.#states.keep(NEWEST, state);
  }

  #keepHabit(kind: string, { asked }: AskedRows): void {
    if (asked.length <= MAX_FORESEEN) this.#habits.keep(kind, asked);
    else this.#habits.drop(kind);
  }
}

/** What a question takes beside its name, which is in it a second time as values. */
const QUESTION_BYTES = 500;

function habitBytes(questions: readonly RowQuestion[]): number {
  return questions.reduce((sum, { name }) => sum + QUESTION_BYTES + 2 * textBytes(name), 0);
}

/** The answer, or what was thrown instead: while rows are missing neither counts. */
function answerOf<Answer>(ask: () => Answer): () => Answer {
  try {
    const value = ask();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
