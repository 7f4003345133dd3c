/** Validation progress of a block: in memory, and as findings with which another process can continue. */

import { equalBytes } from "../../../src/crypto/bytes.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { BlockRun, ExecutedTransaction, TransactionEffect } from "../../../src/rules/blocks/block-run.ts";
import {
  type ExecutionVariant,
  RepeatableVariants,
  restoreWay,
  stateOfWay,
  type VariantVerdict,
  type WayState,
} from "../../../src/rules/blocks/execution-variants.ts";
import type { Finding } from "../chain/judged-parts.ts";
import { storedCallRecord } from "../chain/rows/block-rows.ts";

/** Violation of a rule, with its cause. */
interface StoredViolation {
  readonly fault: RuleError["violation"];
  readonly cause?: StoredViolation | undefined;
}

/** Effect of a transaction, with the transaction's id. */
interface StoredEffect {
  readonly id: Uint8Array;
  readonly effect: Omit<TransactionEffect, "spellingReads">;
  readonly reads: readonly (readonly [string, unknown])[];
}

/** Finding about one variant of validation. */
type WayFinding =
  | { readonly kind: "effect"; readonly index: number; readonly stored: StoredEffect }
  | { readonly kind: "state"; readonly state: WayState }
  | { readonly kind: "outcome"; readonly outcome: StoredViolation | "right"; readonly state: WayState };

/** Identity of a variant among those of a block. */
interface VariantPosition {
  readonly isChallenged: boolean;
  readonly ownsTransactions: boolean;
  readonly way: number;
}

type BlockFinding = { readonly kind: "justified" } | (WayFinding & VariantPosition);

/** Effects of transactions by their index in the block; stored ones are not yet joined with their transaction. */
type Effects = Map<number, ExecutedTransaction | StoredEffect>;

/** Progress of one block, or of the block that it challenges: known variants, and the effects in the current one. */
export class ValidatedBlock {
  readonly #isChallenged: boolean;
  readonly #ways = new Map<boolean, RepeatableVariants>();
  #atHand: { readonly way: ExecutionVariant; readonly effects: Effects; readonly unsaved: number[] } | undefined;
  readonly #savedOutcomes = new Set<ExecutionVariant>();

  constructor(isChallenged: boolean) {
    this.#isChallenged = isChallenged;
  }

  waysOf(ownsTransactions: boolean): RepeatableVariants {
    const ways = this.#ways.get(ownsTransactions) ?? new RepeatableVariants(ownsTransactions);
    this.#ways.set(ownsTransactions, ways);
    return ways;
  }

  /** Effect of the transaction on the current state of the run, if known. Finished variants keep only their outcome. */
  find(way: ExecutionVariant, run: BlockRun, transaction: Transaction, index: number): ExecutedTransaction | undefined {
    const { effects } = this.#effectsOf(way);
    const known = effects.get(index);
    if (known === undefined) return undefined;
    const id = "id" in known ? known.id : known.included.transaction.id;
    if (!equalBytes(id, transaction.id)) return undefined;
    if (!("id" in known)) return known;
    const spellingReads = known.reads.length === 0 ? undefined : new Map(known.reads);
    const judged = run.withStoredEffect(transaction, { ...known.effect, spellingReads } as TransactionEffect);
    effects.set(index, judged);
    return judged;
  }

  add(way: ExecutionVariant, index: number, judged: ExecutedTransaction): void {
    const { effects, unsaved } = this.#effectsOf(way);
    effects.set(index, judged);
    unsaved.push(index);
  }

  /** New findings since the last call. */
  *findings(): Iterable<Finding> {
    for (const [ownsTransactions, ways] of this.#ways)
      for (const [number, way] of ways.known.entries()) {
        const of = { isChallenged: this.#isChallenged, ownsTransactions, way: number };
        const outcome = ways.verdictOf(way);
        if (outcome === undefined) yield* this.#unsavedOf(way, of);
        else if (!this.#savedOutcomes.has(way)) {
          this.#savedOutcomes.add(way);
          const found = { ...of, kind: "outcome", outcome: storedOutcome(outcome), state: stateOfWay(way) };
          yield { subject: "", found, replaces: subjectOf(of) };
        }
      }
  }

  /** Takes over a finding of another process. */
  take(finding: Exclude<BlockFinding, { readonly kind: "justified" }>): void {
    const ways = this.waysOf(finding.ownsTransactions);
    const way = ways.at(finding.way);
    if (way === undefined) throw new Error("there is no such way");
    if (finding.kind === "effect") {
      this.#effectsOf(way).effects.set(finding.index, finding.stored);
      return;
    }
    restoreWay(way, finding.state);
    if (finding.kind === "state") return;
    ways.note(way, outcomeOfStored(finding.outcome));
    this.#savedOutcomes.add(way);
  }

  #effectsOf(way: ExecutionVariant) {
    if (this.#atHand?.way !== way) this.#atHand = { way, effects: new Map(), unsaved: [] };
    return this.#atHand;
  }

  *#unsavedOf(way: ExecutionVariant, of: VariantPosition): Iterable<Finding> {
    if (this.#atHand?.way !== way) return;
    const { effects, unsaved } = this.#atHand;
    const subject = subjectOf(of);
    for (const index of unsaved.splice(0)) {
      const stored = storedEffect(effects.get(index) as ExecutedTransaction);
      yield { subject, found: { ...of, kind: "effect", index, stored } };
    }
    yield { subject, found: { ...of, kind: "state", state: stateOfWay(way) } };
  }
}

/** Progress of a block, with the block that it challenges. */
export class BlockProgress {
  readonly own = new ValidatedBlock(false);
  /** Undefined once the challenge is known to be justified. */
  #challenged: ValidatedBlock | undefined = new ValidatedBlock(true);
  #isJustificationSaved = false;

  /** @param findings findings of another process */
  constructor(findings: Iterable<unknown> = []) {
    for (const finding of findings as Iterable<BlockFinding>) {
      if (finding.kind === "justified") {
        this.#challenged = undefined;
        this.#isJustificationSaved = true;
      } else if (finding.isChallenged) this.#challenged?.take(finding);
      else this.own.take(finding);
    }
  }

  get challenged(): ValidatedBlock | undefined {
    return this.#challenged;
  }

  /** Notes that the challenge is justified. */
  justify(): void {
    this.#challenged = undefined;
  }

  /** New findings since the last call. */
  *findings(): Iterable<Finding> {
    if (this.#challenged !== undefined) yield* this.#challenged.findings();
    else if (!this.#isJustificationSaved) {
      this.#isJustificationSaved = true;
      yield { subject: "", found: { kind: "justified" }, replaces: CHALLENGED };
    }
    yield* this.own.findings();
  }
}

/** Prefix of all subjects of the challenged block. */
const CHALLENGED = "challenged";

function subjectOf({ isChallenged, ownsTransactions, way }: VariantPosition): string {
  return `${isChallenged ? CHALLENGED : "own"} ${ownsTransactions} ${way};`;
}

function storedEffect({ included, spellingReads, ...effect }: ExecutedTransaction): StoredEffect {
  const { transaction, bytes: _, callRecord, ...did } = included;
  return {
    id: transaction.id,
    effect: { ...effect, included: { ...did, callRecord: callRecord && storedCallRecord(callRecord) } },
    reads: [...(spellingReads ?? [])],
  };
}

function storedOutcome(verdict: VariantVerdict): StoredViolation | "right" {
  return verdict === "right" ? verdict : storedViolation(verdict);
}

function storedViolation({ violation, cause }: RuleError): StoredViolation {
  return { fault: violation, ...(cause instanceof RuleError && { cause: storedViolation(cause) }) };
}

function outcomeOfStored(stored: StoredViolation | "right"): VariantVerdict {
  if (stored === "right") return stored;
  const { fault, cause } = stored;
  return new RuleError(fault, cause && { cause: outcomeOfStored(cause) });
}
