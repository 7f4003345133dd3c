/**
 * First estimator of the network: every node has a cost, each value counts once.
 * @source Waves: lang/v1/estimator/ScriptEstimatorV1.scala
 */
import type { Expression } from "../script/expression.ts";
import { BigInteger, List, Structure } from "../values/value.ts";
import { type Costs, callFromVerifier, functionText } from "./costs.ts";
import { EstimationError } from "./estimation-error.ts";
import { NameTable } from "./name-table.ts";
import { runSteps, type StepAllowance, type Steps } from "./stepwise.ts";

/** Value of a name, and whether its cost was counted. */
interface Known {
  readonly value: Expression;
  readonly isCounted: boolean;
}
type Names = NameTable<Known>;
interface Estimate {
  readonly cost: bigint;
  readonly names: Names;
}

const trueConstant: Expression = { kind: "constant", value: true };
const cost = { constant: 1n, reference: 2n, getter: 2n, block: 5n, parameter: 5n, condition: 1n } as const;

/** @throws EstimationError, WorkRefused */
export function estimateV1(expression: Expression, costs: Costs, allowance?: StepAllowance): bigint {
  const known = NameTable.of(costs.names.map((name) => [name, { value: trueConstant, isCounted: true }] as const));
  return runSteps(estimate(expression, known, NameTable.of(), costs), allowance).cost;
}

function* estimate(expression: Expression, names: Names, declared: NameTable<bigint>, library: Costs): Steps<Estimate> {
  switch (expression.kind) {
    case "constant": {
      const { value } = expression;
      if (value instanceof List || value instanceof Structure || value instanceof BigInteger) {
        throw new EstimationError("an implementation is missing");
      }
      return { cost: cost.constant, names };
    }
    case "getter": {
      const object = yield estimate(expression.object, names, declared, library);
      return plus(object, cost.getter);
    }
    case "block": {
      const { declaration, body } = expression;
      if (declaration.kind === "let") {
        const around = names.with(declaration.name, { value: declaration.value, isCounted: false });
        return plus(yield estimate(body, around, declared, library), cost.block);
      }
      const argument: Known = { value: trueConstant, isCounted: false };
      const inside = declaration.parameters.reduce((around, name) => around.with(name, argument), names);
      const inner = yield estimate(declaration.body, inside, declared, library);
      const call = plus(inner, BigInt(declaration.parameters.length) * cost.parameter);
      const around = declared.with(declaration.name, call.cost);
      return plus(yield estimate(body, names, around, library), cost.block);
    }
    case "reference": {
      const { name } = expression;
      const known = names.get(name);
      if (known === undefined) throw new EstimationError(`ScriptValidator: Undeclared variable '${name}'`);
      if (known.isCounted) return { cost: cost.reference, names };
      const counted = names.with(name, { value: known.value, isCounted: true });
      return plus(yield estimate(known.value, counted, declared, library), cost.reference);
    }
    case "if": {
      const condition = yield estimate(expression.condition, names, declared, library);
      const ifTrue = yield estimate(expression.ifTrue, condition.names, declared, library);
      const ifFalse = yield estimate(expression.ifFalse, condition.names, declared, library);
      return plus(ifTrue.cost > ifFalse.cost ? ifTrue : ifFalse, condition.cost + cost.condition);
    }
    case "call": {
      const called = expression.function;
      const callCost = library.functions.get(called) ?? (typeof called === "string" ? declared.get(called) : undefined);
      if (callCost === undefined) {
        throw new EstimationError(`ScriptValidator: Unknown function '${functionText(called)}'`);
      }
      let sum: Estimate = { cost: BigInt(callCost), names };
      for (const argument of expression.args) {
        const argumentCost: Estimate = yield estimate(argument, sum.names, declared, library);
        sum = plus(argumentCost, sum.cost);
      }
      if (library.forbidden.has(called)) throw callFromVerifier();
      return sum;
    }
  }
}

/** Sums wrap around, as in the reference. */
function plus({ cost: left, names }: Estimate, right: bigint): Estimate {
  return { cost: BigInt.asIntN(64, left + right), names };
}
