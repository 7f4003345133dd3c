/**
 * Point queries of requests that come at the same time are asked together: what comes while a batch is under way waits for its
 * end, and goes with the next one. Of what D1 takes for such a question most is for the call, and for the row of the chain that
 * belongs to it: a batch has both once for many. Nobody waits who is alone.
 *
 * Each question is asked after its request has come, and all of a batch are answered from one state. What fails is asked by each
 * for itself, so that nobody's question is another one's error.
 *
 * As in `routes/pool-offers.ts` requests wait for what others have asked: so each waits for a promise of its own, and batches are
 * work that goes on behind the answer of the request that makes them. The runtime takes a request for hung, and ends it, that has
 * nothing of its own to wait for: each wait has a timer.
 */
import type { BlockchainSettings } from "../network/settings.ts";
import { type Chain, readableChain } from "./chain.ts";
import type { ResultRow } from "./columns.ts";
import { type Database, preparedOn, type Session, sessionOf } from "./database.ts";
import type { LatestState } from "./latest-state.ts";
import { type FoundPoint, pointBatch } from "./point-batch.ts";
import type { Query } from "./query.ts";
import { unanswered } from "./read-model-unavailable.ts";

/** Of one batch: an answer may be as large as a row, and D1 does nothing else meanwhile. */
const MAX_QUESTIONS = 32;
/** More do not wait: each asks by itself. */
const MAX_WAITING = 1_000;
/** How many questions one request asks for others, of the 1,000 that D1 lets it ask (docs/limits.md). */
const LEADS_QUESTIONS = 500;
/** How long a request makes batches for others as well; below what the runtime gives to work behind an answer, 30 s. */
const LEADS_MS = 1_000;
/** After this time a batch that is not heard of counts as lost, and is asked again by whoever looks then. Nobody waits longer for a turn. */
const PATIENCE_MS = 2_000;

export interface PointsTogetherFacts {
  /** The database may have copies; it then is looked at as the newest reading of the isolate has seen it. */
  readonly hasCopies: boolean;
  /**
   * How many batches may be under way. More than one where the way to the database is long: it is the waiting for one's own that
   * costs time there, and not the database's work.
   */
  readonly flights: number;
  /** Of the chain that is to be read. */
  readonly settings: Pick<BlockchainSettings, "genesis">;
  /** It is told each reading. */
  readonly latest: LatestState;
  readonly nowMs: () => number;
}

/** The request that asks. */
export interface AskingRequest {
  readonly database: Database;
  /** Work that goes on behind its answer, also when its client is gone. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** What all of a batch have in common. */
interface Landed {
  /** The state that the answers show. */
  readonly chain: Chain;
  /** Where the database has copies: whoever goes on from it sees nothing earlier. */
  readonly bookmark: string | undefined;
}

export interface PointAnswer<Value> extends Landed, Omit<FoundPoint, "value"> {
  readonly value: Value;
}

type Outcome =
  | ({ readonly kind: "found" } & Landed & FoundPoint)
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "alone" };

interface Waiting {
  readonly question: Query<unknown>;
  outcome?: Outcome;
  /** Lets the request look again. */
  wake: () => void;
}

/** Batches that one request makes, one after the other. */
interface Flight {
  askedAtMs: number;
  /** What is under way. */
  asked: readonly Waiting[];
}

export class PointsTogether {
  readonly #facts: PointsTogetherFacts;
  /** In the order in which they came. */
  #waiting: Waiting[] = [];
  /** What is under way. */
  readonly #flights = new Set<Flight>();

  constructor(facts: PointsTogetherFacts) {
    this.#facts = facts;
  }

  /**
   * @returns undefined: it was not to be had together with others. Who asks is to ask alone
   * @throws ReadModelUnavailable where the tables show no state
   */
  async ask<Value>(question: Query<Value>, request: AskingRequest): Promise<PointAnswer<Value> | undefined> {
    if (this.#waiting.length >= MAX_WAITING) return undefined;
    const waiting: Waiting = { question, wake: () => {} };
    this.#waiting.push(waiting);
    while (waiting.outcome === undefined) {
      const woken = new Promise<void>((resolve) => {
        waiting.wake = resolve;
      });
      // Where the batch is lost and nobody comes any more, no one else would look again.
      const timer = setTimeout(waiting.wake, PATIENCE_MS);
      if (this.#mayTakeOff()) request.waitUntil(this.#fly(request));
      await woken;
      clearTimeout(timer);
    }
    const { outcome } = waiting;
    if (outcome.kind === "error") throw outcome.error;
    if (outcome.kind === "alone") return undefined;
    try {
      // It is what the question reads.
      return { ...outcome, value: outcome.value() as Value };
    } catch {
      // Another question's row may be at fault.
      return undefined;
    }
  }

  #mayTakeOff(): boolean {
    const nowMs = this.#facts.nowMs();
    for (const flight of this.#flights) if (Math.abs(nowMs - flight.askedAtMs) >= PATIENCE_MS) this.#giveUp(flight);
    return this.#flights.size < this.#facts.flights;
  }

  /** Whoever makes it may be no more, or the database does not answer: what it has asked is asked again. */
  #giveUp(flight: Flight): void {
    this.#flights.delete(flight);
    this.#waiting.unshift(...flight.asked.filter(({ outcome }) => outcome === undefined));
    flight.asked = [];
  }

  /** Makes batches until nobody waits, or it is for others to make them. Never rejects. */
  async #fly({ database }: AskingRequest): Promise<void> {
    const { nowMs } = this.#facts;
    const flight: Flight = { askedAtMs: nowMs(), asked: [] };
    this.#flights.add(flight);
    const endMs = flight.askedAtMs + LEADS_MS;
    for (let left = LEADS_QUESTIONS; left > 0 && this.#waiting.length > 0 && flight.askedAtMs < endMs; ) {
      const asked = this.#waiting.splice(0, Math.min(left, MAX_QUESTIONS));
      flight.asked = asked;
      left -= asked.length;
      const questions = asked.map(({ question }) => question);
      const outcomes = await this.#outcomesOf(questions, database);
      asked.forEach((waiting, index) => {
        waiting.outcome ??= outcomes[index] as Outcome;
        waiting.wake();
      });
      // It was given up, and another one was begun in its place.
      if (!this.#flights.has(flight)) return;
      flight.askedAtMs = nowMs();
    }
    this.#flights.delete(flight);
    // The first whose request is still there makes the next one.
    for (const { wake } of this.#waiting) wake();
  }

  /** One batch. @returns the outcome of each question, in their order. Never rejects. */
  async #outcomesOf(questions: readonly Query<unknown>[], database: Database): Promise<readonly Outcome[]> {
    const { hasCopies, latest, settings } = this.#facts;
    const newest = latest.newest?.bookmark;
    const batch = pointBatch(questions);
    const tell = latest.beginReading();
    let session: Session;
    let results: readonly D1Result<ResultRow>[];
    try {
      session = sessionOf(database, { hasCopies, from: newest ?? "first-unconstrained" });
      results = await session.batch<ResultRow>(preparedOn(session, batch.statements));
    } catch (cause) {
      // Another question may be at fault, or the bookmark.
      const isOwn = questions.length === 1 && newest === undefined;
      return questions.map(() => (isOwn ? { kind: "error", error: unanswered(cause) } : { kind: "alone" }));
    }
    try {
      const landed: Landed = {
        chain: readableChain(batch.chainRow(results), settings),
        bookmark: session.getBookmark?.() ?? undefined,
      };
      tell(landed);
      return batch.found(results).map((found) => ({ kind: "found", ...landed, ...found }));
    } catch (error) {
      return questions.map(() => ({ kind: "error", error }));
    }
  }
}
