/**
 * The ways in which nodes of the reference may have come to the state hash of a block. What some of its rules give depends on what a node
 * has seen before; where anything in the block rests on that, and its own way does not fit, the others are tried.
 */
import { RuleError } from "../../protocol/faults.ts";
import { FirstVerdicts } from "../state/foreign-addresses.ts";

/** What scripts asked before the block for an address of another chain: nobody did, or each was an address to him, or none was. */
const verdictsBefore = [undefined, true, false];

/** What `judge` gives in the first way in which nothing is wrong. @throws RuleError what is wrong in the first one */
export function judgedInAnyWay<T>(judge: (foreignAddresses: FirstVerdicts) => T): T {
  let fault: RuleError | undefined;
  for (const before of verdictsBefore) {
    const foreignAddresses = new FirstVerdicts(before);
    try {
      return judge(foreignAddresses);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      fault ??= error;
      if (!foreignAddresses.hasMattered) break;
    }
  }
  throw fault as RuleError;
}

/** What is wrong in some way. @param judge throws RuleError where something is */
export function faultsInAnyWay(judge: (foreignAddresses: FirstVerdicts) => void): readonly (RuleError | undefined)[] {
  const faults: (RuleError | undefined)[] = [];
  for (const before of verdictsBefore) {
    const foreignAddresses = new FirstVerdicts(before);
    try {
      judge(foreignAddresses);
      faults.push(undefined);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      faults.push(error);
    }
    if (!foreignAddresses.hasMattered) break;
  }
  return faults;
}
