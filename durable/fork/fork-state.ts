/** A fork's own work: brings what is missing of the other network's state, and has what was asked for asked again. */
import type { ForkSource } from "../../src/network/fork-source.ts";
import { factName, headerFact, ofId, type RemoteFact } from "../../src/network/remote-fact.ts";
import type { BlockchainSettings } from "../../src/network/settings.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { RemoteStateMissing } from "../../src/rules/state/remote-state-missing.ts";
import { blockTable } from "../../src/tables/blocks.ts";
import { type RowChange, written } from "../../src/tables/schema/row-change.ts";
import { keyText } from "../../src/tables/schema/row-text.ts";
import type { StateStore } from "../state/state-store.ts";
import { bringFact } from "./bring-fact.ts";
import type { BroughtFact } from "./brought-fact.ts";
import type { ForkView } from "./fork-view.ts";
import type { KnownFacts } from "./known-facts.ts";
import { headersAnswer, newestAnswer, readAnswer } from "./remote-answers.ts";
import { remoteBlockRow } from "./remote-header.ts";
import type { RemoteNode, RemoteQuestion, RemoteReply } from "./remote-node.ts";
import { UntoldFault } from "./untold-fault.ts";

/** Each brings at least one fact that was not known; no script reads more than some thousands. */
const MAX_ATTEMPTS = 2_000;
/** The interface gives no more. */
const HEADERS_AT_ONCE = 100;
/** Length of an answer that is kept, characters: a row holds 2 MB. */
const MAX_KEPT_ANSWER = 600_000;
/** Accounts of which it was said that they have changed; of more it is said again. */
const MAX_TOLD = 10_000;

export interface ForkFacts {
  readonly source: ForkSource;
  readonly settings: BlockchainSettings;
  readonly store: StateStore;
  readonly view: ForkView;
  readonly known: KnownFacts;
  readonly remote: RemoteNode;
  /** Writes rows below all that the chain has changed, with what else is to be written, in one SQLite transaction. */
  readonly addBaseRows: (rows: () => readonly RowChange[]) => void;
  /** Says a sentence to the operator. */
  readonly tell: (sentence: string) => void;
}

export class ForkState {
  readonly #facts: ForkFacts;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #told = new Set<string>();

  constructor(facts: ForkFacts) {
    this.#facts = facts;
  }

  /** Runs what leaves nothing behind when it fails, until nothing is missing. @throws RemoteFault, UntoldFault, what `run` throws */
  async attempt<T>(run: () => T): Promise<Awaited<T>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof RemoteStateMissing) || attempt >= MAX_ATTEMPTS) throw error;
        await this.bringAll(error.facts);
      }
    }
  }

  /** Brings what a question will ask for, many facts at a time. @param question only answers @throws RemoteFault, UntoldFault */
  async foresee(question: () => unknown): Promise<void> {
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      const missing = this.#facts.view.missingFor(question);
      if (missing.length === 0) return;
      await this.bringAll(missing);
    }
  }

  /**
   * What is dated later than the fork's block is not in the chain behind it, and need not be asked for. A transaction may be dated
   * ahead of its block; whoever sends one of these here a second time has his will.
   */
  expectNew({ id, timestamp }: Transaction): void {
    const { known, view, source } = this.#facts;
    const forkBlock = view.findHeader(source.height);
    if (forkBlock !== undefined && timestamp > forkBlock.header.timestamp)
      known.suppose(factName(ofId("transaction", id)));
  }

  /** Resolves when all are known. @throws RemoteFault, UntoldFault */
  async bringAll(facts: readonly RemoteFact[]): Promise<void> {
    const outcomes = await Promise.allSettled(facts.map((fact) => this.#bring(fact)));
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  }

  /** Brings headers of a range, as far as any of them is not known. @throws RemoteFault */
  async bringHeaders(from: number, to: number): Promise<void> {
    const { view, settings } = this.#facts;
    for (let first = from; first <= to; first += HEADERS_AT_ONCE) {
      const last = Math.min(first + HEADERS_AT_ONCE - 1, to);
      const heights = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      if (heights.every((height) => view.isKnown(headerFact(height)))) continue;
      const question = { path: `/blocks/headers/seq/${first}/${last}` };
      const headers = readAnswer(headersAnswer, question, await this.#ask(question, new Map()));
      const rows = headers.map((header) => ({
        row: written(blockTable, remoteBlockRow(header, settings)),
        part: headerFact(header.height),
      }));
      this.#write(`headers ${first} ${last}`, { rows: () => rows }, new Map());
    }
  }

  async #bring(fact: RemoteFact): Promise<void> {
    if (this.#facts.view.isKnown(fact)) return;
    const name = factName(fact);
    const underWay = this.#underWay.get(name);
    if (underWay !== undefined) return underWay;
    const bringing = this.#bringOne(fact, name).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, bringing);
    return bringing;
  }

  async #bringOne(fact: RemoteFact, name: string): Promise<void> {
    const { source, settings, view } = this.#facts;
    const asked = new Map<RemoteQuestion, RemoteReply>();
    const brought = await bringFact(fact, {
      ask: (question) => this.#ask(question, asked),
      source,
      settings,
      own: view.own,
    });
    if (asked.size > 0 && brought.owner !== undefined) await this.#checkUnchanged(brought.owner, fact);
    await this.bringAll(brought.needs ?? []);
    this.#write(name, brought, asked);
  }

  async #ask(question: RemoteQuestion, asked: Map<RemoteQuestion, RemoteReply>): Promise<RemoteReply> {
    const { known, remote } = this.#facts;
    const kept = known.findAnswer(question);
    if (kept !== undefined) return kept;
    const reply = await remote.ask(question);
    asked.set(question, reply);
    return reply;
  }

  /**
   * An ordinary node tells the present state only. What no transaction has touched since the fork's height is as it was then.
   * @throws UntoldFault where the fork is to be exact, and the account has changed
   */
  async #checkUnchanged(owner: string, fact: RemoteFact): Promise<void> {
    const { remote, source, tell } = this.#facts;
    const question = { path: `/transactions/address/${owner}/limit/1` };
    const [[newest]] = readAnswer(newestAnswer, question, await remote.ask(question));
    if (newest === undefined || newest.height <= source.height) return;
    const what = `the account ${owner} has changed at height ${newest.height}, after the fork's height ${source.height}`;
    if (source.isExact)
      throw new UntoldFault(`${what}: ${factName(fact)} was asked for, and ${source.url} tells only how it is now`);
    if (this.#told.has(owner)) return;
    if (this.#told.size >= MAX_TOLD) this.#told.clear();
    this.#told.add(owner);
    tell(`fork: ${what}; what is read of it from here on is as it is now`);
  }

  #write(name: string, { rows }: BroughtFact, asked: ReadonlyMap<RemoteQuestion, RemoteReply>): void {
    const { known, view, store, addBaseRows } = this.#facts;
    addBaseRows(() => {
      const changes: RowChange[] = [];
      const seen = new Set<string>();
      for (const { row, part } of rows({ store, isKnown: (fact) => view.isKnown(fact) })) {
        if (part !== undefined && view.isKnown(part)) continue;
        if (part !== undefined) known.add(factName(part));
        const { table } = row;
        const key = `${table.name} ${keyText(table, row.row)}`;
        // What is there already was brought before, or has been changed here since.
        if (seen.has(key) || store.find(table, row.row) !== undefined) continue;
        seen.add(key);
        changes.push(row);
      }
      known.add(name);
      for (const [question, reply] of asked)
        if (reply.text.length <= MAX_KEPT_ANSWER) known.keepAnswer(question, reply);
      return changes;
    });
  }
}
