/**
 * The ways in which nodes of the reference may have come to the state hash of a block. What some of its rules give depends on what a node
 * has seen before; where anything in the block rests on that, and its own way does not fit, the others are tried.
 */
import { RuleError } from "../../protocol/faults.ts";
import { FirstVerdicts } from "../state/foreign-addresses.ts";
import { StoredParent } from "../state/stored-parent.ts";

export interface JudgingWay {
  readonly foreignAddresses: FirstVerdicts;
  /** Undefined: its transactions see the parent as the view shows it. */
  readonly storedParent: StoredParent | undefined;
}

/** What scripts asked before the block for an address of another chain: nobody did, or each was an address to him, or none was. */
const verdictsBefore = [undefined, true, false];

/** One after the other, as long as anything depended on the one before. */
function* judgingWays(ownsTransactions: boolean): Iterable<JudgingWay> {
  for (const before of verdictsBefore) {
    const foreignAddresses = new FirstVerdicts(before);
    const storedParent = ownsTransactions ? undefined : new StoredParent();
    yield { foreignAddresses, storedParent };
    let hasMattered = foreignAddresses.hasMattered;
    if (storedParent?.hasMattered === true) {
      const again = new FirstVerdicts(before);
      yield { foreignAddresses: again, storedParent: undefined };
      hasMattered ||= again.hasMattered;
    }
    if (!hasMattered) return;
  }
}

/**
 * What `judge` gives in the first way in which nothing is wrong.
 * @param ownsTransactions whether those of the block came with the key block; false: they may, or in micro-blocks
 * @throws RuleError what is wrong in the first way
 */
export function judgedInAnyWay<T>(ownsTransactions: boolean, judge: (way: JudgingWay) => T): T {
  let fault: RuleError | undefined;
  for (const way of judgingWays(ownsTransactions)) {
    try {
      return judge(way);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      fault ??= error;
    }
  }
  throw fault as RuleError;
}

/** What is wrong in each way, undefined where nothing is. @param judge throws RuleError where something is */
export function faultsInAnyWay(
  ownsTransactions: boolean,
  judge: (way: JudgingWay) => void,
): readonly (RuleError | undefined)[] {
  const faults: (RuleError | undefined)[] = [];
  for (const way of judgingWays(ownsTransactions)) {
    try {
      judge(way);
      faults.push(undefined);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      faults.push(error);
    }
  }
  return faults;
}
