/**
 * Variants in which nodes of the reference may have come to the state hash of a block. The result of some of its rules
 * depends on the history of a node. If such a result matters in a block, and the node's own variant gives an error, the
 * other variants are tried.
 */
import { RuleError } from "../../protocol/errors.ts";
import { DataSpellings, type SpellingsState } from "../state/data-spellings.ts";
import { FirstVerdicts, type VerdictsState } from "../state/foreign-addresses.ts";
import { StoredParent } from "../state/stored-parent.ts";

export interface ExecutionVariant {
  readonly foreignAddresses: FirstVerdicts;
  /** Undefined: the transactions see the parent as the view has it. */
  readonly storedParent: StoredParent | undefined;
  readonly spellings: DataSpellings;
}

/** Observations made so far in a validation variant. */
export interface WayState {
  readonly foreignAddresses: VerdictsState;
  readonly hasParentMattered: boolean;
  readonly spellings: SpellingsState;
}

export function stateOfWay({ foreignAddresses, storedParent, spellings }: ExecutionVariant): WayState {
  return {
    foreignAddresses: foreignAddresses.state,
    hasParentMattered: storedParent?.hasMattered ?? false,
    spellings: spellings.state,
  };
}

/** Continues a variant at the state that another process reached. */
export function restoreWay({ foreignAddresses, storedParent, spellings }: ExecutionVariant, state: WayState): void {
  foreignAddresses.restore(state.foreignAddresses);
  if (storedParent !== undefined) storedParent.hasMattered = state.hasParentMattered;
  spellings.restore(state.spellings);
}

/** Earlier results for addresses of other chains: no script has checked one, each was valid, or none was. */
const verdictsBefore = [undefined, true, false];

/**
 * Yields execution variants while the previous one had an effect; at most eleven. While another rule varies, data keys
 * are those of a reference node that has run for long.
 * @param ownsTransactions whether all transactions came with the key block; false: some may have come in micro-blocks
 */
function* executionVariants(ownsTransactions: boolean): Iterable<ExecutionVariant> {
  for (const before of verdictsBefore) {
    const verdicts: FirstVerdicts[] = [];
    const variantWith = (hasStoredParent: boolean, spellings = new DataSpellings()): ExecutionVariant => {
      const foreignAddresses = new FirstVerdicts(before);
      verdicts.push(foreignAddresses);
      return { foreignAddresses, storedParent: hasStoredParent ? new StoredParent() : undefined, spellings };
    };
    for (const spellings of before === undefined ? DataSpellings.variants() : [new DataSpellings()]) {
      const isFirst = verdicts.length === 0;
      const variant = variantWith(!ownsTransactions, spellings);
      yield variant;
      if (isFirst && variant.storedParent?.hasMattered === true) yield variantWith(false);
    }
    if (!verdicts.some(({ hasMattered }) => hasMattered)) return;
  }
}

/**
 * Result of `validate` in the first valid variant.
 * @param validate throws RuleError for an invalid block; not run again for variants that are known to be invalid
 * @throws RuleError the error of the first variant
 */
export function resultOfFirstValid<T>(ways: RepeatableVariants, validate: (way: ExecutionVariant) => T): T {
  let firstError: RuleError | undefined;
  for (const variant of ways) {
    const known = ways.verdictOf(variant);
    if (known !== undefined && known !== "right") {
      firstError ??= known;
      continue;
    }
    try {
      return validate(variant);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      ways.note(variant, error);
      firstError ??= error;
    }
  }
  throw firstError as RuleError;
}

/**
 * Errors of all variants, undefined for a valid one.
 * @param validate throws RuleError for an invalid block; not run again for variants with a known verdict
 */
export function errorsOfVariants(
  ways: RepeatableVariants,
  validate: (way: ExecutionVariant) => void,
): readonly (RuleError | undefined)[] {
  const errors: (RuleError | undefined)[] = [];
  for (const variant of ways) {
    const verdict = ways.verdictOf(variant) ?? verdictOf(() => validate(variant));
    ways.note(variant, verdict);
    errors.push(verdict === "right" ? undefined : verdict);
  }
  return errors;
}

function verdictOf(validate: () => void): VariantVerdict {
  try {
    validate();
    return "right";
  } catch (error) {
    if (error instanceof RuleError) return error;
    throw error;
  }
}

/** Verdict on a block in one variant. */
export type VariantVerdict = RuleError | "right";

/** Repeatable sequence of execution variants, with their verdicts. */
export class RepeatableVariants implements Iterable<ExecutionVariant> {
  readonly #source: Iterator<ExecutionVariant>;
  readonly #known: ExecutionVariant[] = [];
  readonly #verdicts = new Map<ExecutionVariant, VariantVerdict>();

  constructor(ownsTransactions: boolean) {
    this.#source = executionVariants(ownsTransactions)[Symbol.iterator]();
  }

  *[Symbol.iterator](): Iterator<ExecutionVariant> {
    for (let index = 0; ; index++) {
      const variant = this.at(index);
      if (variant === undefined) return;
      yield variant;
    }
  }

  /** Variants tried so far. */
  get known(): readonly ExecutionVariant[] {
    return this.#known;
  }

  /** Variant with the number; only valid once all variants before it have a verdict. */
  at(index: number): ExecutionVariant | undefined {
    const variant = this.#known[index] ?? this.#source.next().value;
    if (variant !== undefined) this.#known[index] = variant;
    return variant;
  }

  /** Undefined: no verdict yet. */
  verdictOf(variant: ExecutionVariant): VariantVerdict | undefined {
    return this.#verdicts.get(variant);
  }

  note(variant: ExecutionVariant, verdict: VariantVerdict): void {
    this.#verdicts.set(variant, verdict);
  }
}
