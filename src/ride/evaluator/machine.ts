/**
 * Evaluator of trees: lazy, in the reference's order, counting complexity. It has its own stack instead of recursion,
 * which allows scripts to nest as deep as their size allows.
 * When complexity runs out, the reference suspends the expression and continues with the next argument, if there is
 * one. Here such an expression has the value `undefined`, and its suspended evaluation is in `#rest`.
 * @source Waves: lang/v1/evaluator/EvaluatorV2.scala
 */

import { utf8SizeBytes } from "../../protocol/codec/utf8.ts";
import { CallFailure } from "../call-failure.ts";
import { ExecutionError, NativeFailure, ScriptNotSupported, ThrownError } from "../execution-error.ts";
import type { CallContext, NativeFunction } from "../functions/function-definition.ts";
import type { Global } from "../functions/globals.ts";
import { fitsType, type ObjectType } from "../functions/types.ts";
import {
  depthOf,
  MAX_VALUE_BYTES,
  MAX_WEIGHT,
  SAFE_DEPTH,
  Structure,
  textValue,
  tooHeavyText,
  type Value,
  weightOf,
} from "../values/value.ts";
import { valueText } from "../values/value-text.ts";
import { WorkRefused } from "../work-refused.ts";
import { type Code, Frame, type Layout, op, type Slot, type SuspendedCall, Suspension } from "./code.ts";
import type { Environment } from "./environment.ts";
import type { EvaluationLog } from "./evaluation-log.ts";
import type { Linker } from "./linker.ts";
import { ScriptError } from "./script-error.ts";
import type { ScriptWork } from "./script-work.ts";

/** Rules of evaluation that changed over time. */
export interface EvaluationRules {
  /**
   * Feature 17: calls and native functions have costs, references and similar nodes do not; composed functions have a
   * fixed cost.
   */
  readonly isNewMode: boolean;
  /** Feature 22: errors of calls cost the spent complexity. */
  readonly hasFixedThrownError: boolean;
  /** True only for evaluation requests. */
  readonly checksConstructorArguments: boolean;
  readonly hasSynchronousCallFixes: boolean;
  /** Whether powers have the later precision. Default: `hasSynchronousCallFixes`. */
  readonly hasPrecisePowers?: boolean;
  /** Feature 24: whether a recovered key has all its bytes. Default: false. */
  readonly keepsLeadingZeros?: boolean;
}

/** Arguments with less weight, printed, cannot make a message too long. */
const heavyMessage = 4_000;

/** Kinds of stack entries that wait for a value. */
const waiting = { condition: 0, getter: 1, slot: 2, args: 3, user: 4, composed: 5 } as const;

export class Machine {
  readonly #linker: Linker;
  readonly #environment: Environment;
  readonly #rules: EvaluationRules;
  readonly #context: CallContext;
  readonly #log: EvaluationLog | undefined;
  readonly #workMeter: ScriptWork | undefined;
  /** Whether deep values are refused. @see SAFE_DEPTH */
  readonly #refusesDepth: boolean;
  readonly #limit: number;
  /** Cost of a reference, a choice or a getter. */
  readonly #overhead: number;
  #unused: number;
  readonly #globals = new Map<string, Value>();
  /** Arguments of the last call with `isKept`. */
  #retainedArgs: readonly Value[] | undefined;

  // Stack: kind of the waiting entry, its node, its frame, and further data by kind.
  readonly #kinds: number[] = [];
  readonly #codes: Code[] = [];
  readonly #frames: Frame[] = [];
  readonly #numbers: number[] = [];
  readonly #args: (Value | Suspension | undefined)[][] = [];
  #height = 0;
  /** Suspended evaluation of the last expression without a value; undefined if complexity never ran out. */
  #suspension: Suspension | undefined;

  constructor(
    linker: Linker,
    environment: Environment,
    rules: EvaluationRules,
    complexityLimit: number,
    log: EvaluationLog | undefined,
  ) {
    this.#linker = linker;
    this.#environment = environment;
    this.#rules = rules;
    this.#context = {
      environment,
      libraryVersion: linker.options.libraryVersion,
      hasSynchronousCallFixes: rules.hasSynchronousCallFixes,
      hasPrecisePowers: rules.hasPrecisePowers ?? rules.hasSynchronousCallFixes,
      keepsLeadingZeros: rules.keepsLeadingZeros ?? false,
      hasProofs: linker.options.guards === "account",
    };
    this.#log = log;
    this.#workMeter = environment.workMeter;
    this.#refusesDepth = environment.mayRefuseWork;
    this.#limit = complexityLimit;
    this.#unused = complexityLimit;
    this.#overhead = rules.isNewMode ? 0 : 1;
  }

  get unusedComplexity(): number {
    return this.#unused;
  }

  /**
   * Value of a tree; undefined when complexity ran out.
   * @throws ScriptError; ScriptNotSupported
   */
  run(code: Code, frame: Frame | undefined): Value | undefined {
    try {
      return this.#run(code, frame as Frame);
    } catch (error) {
      if (error instanceof ExecutionError) throw this.#failed(error);
      throw error;
    }
  }

  /** Calls a function of the script with values. @see run */
  call(frame: Frame, index: number, args: readonly Value[], codeOfCall: Code): Value | undefined {
    try {
      if (this.#unused <= 0) return undefined;
      for (const argument of args) this.#notTooDeep(argument);
      this.#log?.addArguments(codeOfCall.name, args);
      const slot = frame.layout.slots[index] as Slot;
      const layout = this.#linker.callLayout(slot, args.length, { layout: frame.layout, visible: index });
      const visible = this.#linker.options.hasLexicalScope ? index : frame.layout.slots.length;
      return this.#run(layout.body as Code, this.#callFrame(layout, frame, visible, args), codeOfCall);
    } catch (error) {
      if (error instanceof ExecutionError) throw this.#failed(error);
      throw error;
    }
  }

  #failed(error: ExecutionError): ScriptError {
    if (!(error instanceof Aborted)) this.#logError(error);
    const plain = error instanceof Aborted ? new ExecutionError(error.message) : error;
    return new ScriptError(plain, this.#unused, this.#log?.entries ?? []);
  }

  /** Logs the error for the innermost value under evaluation. */
  #logError(error: ExecutionError): void {
    if (this.#log === undefined) return;
    for (let at = this.#height - 1; at >= 0; at--) {
      if (this.#kinds[at] !== waiting.slot) continue;
      const frame = this.#frames[at] as Frame;
      this.#log.addError((frame.layout.slots[this.#numbers[at] as number] as Slot).name, error);
      return;
    }
  }

  #run(start: Code, startFrame: Frame, enclosingCall?: Code): Value | undefined {
    const base = this.#height;
    if (enclosingCall !== undefined && this.#rules.isNewMode)
      this.#push(waiting.user, enclosingCall, startFrame, this.#unused);
    let code: Code = start;
    let frame: Frame = startFrame;
    let value: Value | undefined;
    for (;;) {
      if (code.op === op.pending) this.#linker.link(code);
      switch (code.op) {
        case op.constant:
          value = code.value;
          break;
        case op.deepConstant:
          value = this.#notTooDeep(code.value);
          break;
        case op.message:
          value = textValue((code.message as NonNullable<Code["message"]>)(frame.retainedArgs ?? []));
          break;
        case op.local: {
          let home = frame;
          for (let hops = code.hops; hops > 0; hops--) home = home.parent as Frame;
          const slotCode = this.#enterSlot(home, code.index);
          if (slotCode !== undefined) {
            code = slotCode;
            frame = this.#nextFrame as Frame;
            continue;
          }
          value = this.#referred;
          break;
        }
        case op.searched: {
          const position = findDeclaration(code, frame, code.name, "value");
          if (position === undefined) {
            value = this.#globalValue(code.name);
            break;
          }
          const slotCode = this.#enterSlot(position.frame, position.index);
          if (slotCode !== undefined) {
            code = slotCode;
            frame = this.#nextFrame as Frame;
            continue;
          }
          value = this.#referred;
          break;
        }
        case op.global:
          value = this.#globalValue(code.name);
          break;
        case op.unknownName:
          throw new ExecutionError(`A definition of '${code.name}' not found`);
        case op.condition:
          this.#push(waiting.condition, code, frame, 0);
          code = code.first as Code;
          continue;
        case op.getter:
          this.#push(waiting.getter, code, frame, 0);
          code = code.first as Code;
          continue;
        case op.frame: {
          const layout = code.layout as Layout;
          frame = new Frame(layout, frame, code.scope?.visible ?? 0);
          code = layout.body as Code;
          continue;
        }
        default: {
          // A call.
          const count = code.args.length;
          if (count > 0 && this.#unused > 0) {
            this.#args[this.#height] = new Array(count).fill(undefined);
            this.#push(waiting.args, code, frame, 0);
            code = code.args[0] as Code;
            continue;
          }
          if (count > 0 || this.#unused <= 0) {
            value = this.#suspend({ kind: "expression", code, frame });
            break;
          }
          const entered = this.#apply(code, frame, []);
          if (entered !== undefined) {
            code = entered.layout.body as Code;
            frame = entered;
            continue;
          }
          value = this.#result;
        }
      }
      // The value goes to the waiting entry.
      for (;;) {
        if (this.#height === base) return value;
        const at = --this.#height;
        const waitingCode = this.#codes[at] as Code;
        const waitingFrame = this.#frames[at] as Frame;
        const kind = this.#kinds[at] as number;
        if (kind === waiting.args) {
          const args = this.#args[at] as (Value | Suspension | undefined)[];
          let next = this.#numbers[at] as number;
          args[next++] = value ?? this.#suspension;
          // If complexity ran out before, later arguments may already have values.
          while (this.#suspension !== undefined && next < args.length && isValue(args[next])) next++;
          if (next < args.length && this.#unused > 0) {
            this.#numbers[at] = next;
            this.#height++;
            const state = args[next];
            const argument = state instanceof Suspension ? this.#resume(state) : waitingCode.args[next];
            if (argument === undefined) {
              value = this.#referred;
              continue;
            }
            code = argument;
            frame = state instanceof Suspension ? (this.#nextFrame as Frame) : waitingFrame;
            break;
          }
          if (this.#unused <= 0 || (this.#suspension !== undefined && !args.every(isValue))) {
            value = this.#suspend({ kind: "call", code: waitingCode, frame: waitingFrame, args });
            continue;
          }
          const entered = this.#apply(waitingCode, waitingFrame, args as Value[]);
          if (entered !== undefined) {
            code = entered.layout.body as Code;
            frame = entered;
            break;
          }
          value = this.#result;
        } else if (kind === waiting.condition) {
          if (value !== undefined && typeof value !== "boolean") throw new ExecutionError("Non-boolean result in cond");
          if (value === undefined || this.#unused <= 0) {
            const part = value ?? (this.#suspension as Suspension);
            value = this.#suspend({ kind: "condition", code: waitingCode, frame: waitingFrame, part });
            continue;
          }
          this.#unused -= this.#overhead;
          code = (value ? waitingCode.ifTrue : waitingCode.ifFalse) as Code;
          frame = waitingFrame;
          break;
        } else if (kind === waiting.slot) {
          const index = this.#numbers[at] as number;
          if (value === undefined) waitingFrame.suspend(index, this.#suspension as Suspension);
          else this.#setSlot(waitingFrame, index, value);
          if (value !== undefined && this.#unused > 0) this.#unused -= this.#overhead;
          else value = this.#suspend({ kind: "declaration", frame: waitingFrame, index });
        } else if (kind === waiting.getter) {
          const field = this.#getField(value, waitingCode.name);
          const part = value ?? (this.#suspension as Suspension);
          value = field ?? this.#suspend({ kind: "getter", code: waitingCode, frame: waitingFrame, part });
        } else if (kind === waiting.user) {
          this.#endCall(waitingCode, this.#numbers[at] as number, value);
        } else {
          // A composed function has a fixed cost, whatever its body spent.
          this.#unused = this.#numbers[at] as number;
        }
      }
    }
  }

  #push(kind: number, code: Code, frame: Frame, number: number): void {
    const at = this.#height++;
    this.#kinds[at] = kind;
    this.#codes[at] = code;
    this.#frames[at] = frame;
    this.#numbers[at] = number;
  }

  /** Suspends an expression without a value. */
  #suspend(of: Suspension["of"]): undefined {
    this.#suspension = new Suspension(of);
    return undefined;
  }

  /** Value found by `#enterSlot` and `#resume` if there is no code to evaluate. */
  #referred: Value | undefined;
  /** Frame of the code that they return. */
  #nextFrame: Frame | undefined;

  /** @returns code to evaluate first, in `#nextFrame`; undefined: the value is in `#referred` */
  #enterSlot(frame: Frame, index: number): Code | undefined {
    const rest = this.#enterDeclaration(frame, index);
    if (rest !== undefined) return this.#resume(rest);
    return this.#nextCode;
  }

  #nextCode: Code | undefined;

  /**
   * @returns suspended evaluation of the slot, if it began before; otherwise `#nextCode` is the result of `#enterSlot`
   */
  #enterDeclaration(frame: Frame, index: number): Suspension | undefined {
    const value = frame.values[index];
    if (value === undefined) {
      const { code } = frame.layout.slots[index] as Slot;
      this.#push(waiting.slot, code as Code, frame, index);
      this.#nextCode = code;
      this.#nextFrame = frame;
      return frame.suspensionOf(index);
    }
    this.#nextCode = undefined;
    if (this.#log !== undefined) this.#setSlot(frame, index, value);
    if (this.#unused > 0) {
      this.#unused -= this.#overhead;
      this.#referred = value;
    } else {
      this.#referred = this.#suspend({ kind: "declaration", frame, index });
    }
    return undefined;
  }

  /** Resumes a suspended evaluation. @returns as `#enterSlot` */
  #resume(start: Suspension): Code | undefined {
    for (let rest: Value | Suspension | undefined = start; ; ) {
      if (!(rest instanceof Suspension)) {
        this.#referred = rest;
        return undefined;
      }
      const { of }: Suspension = rest;
      switch (of.kind) {
        case "expression":
          this.#nextFrame = of.frame;
          return of.code;
        case "declaration":
          rest = this.#enterDeclaration(of.frame, of.index);
          if (rest === undefined) return this.#nextCode;
          break;
        case "call": {
          if (this.#unused <= 0) {
            this.#suspension = rest;
            this.#referred = undefined;
            return undefined;
          }
          const argument = this.#resumeCall(of);
          if (argument === undefined) {
            this.#nextFrame = of.frame;
            return of.code.args[this.#numbers[this.#height - 1] as number];
          }
          rest = argument;
          break;
        }
        default:
          this.#push(waiting[of.kind], of.code, of.frame, 0);
          rest = of.part;
      }
    }
  }

  /** Waits for the first argument without a value, or for the last one. @returns its state */
  #resumeCall({ code, frame, args }: SuspendedCall): Value | Suspension | undefined {
    const unevaluated = args.findIndex((argument) => !isValue(argument));
    const index = unevaluated < 0 ? args.length - 1 : unevaluated;
    this.#args[this.#height] = [...args];
    this.#push(waiting.args, code, frame, index);
    return args[index];
  }

  #setSlot(frame: Frame, index: number, value: Value): void {
    frame.values[index] = value;
    if (this.#log === undefined) return;
    frame.logged ??= [];
    if (frame.logged[index]) return;
    frame.logged[index] = true;
    this.#log.add((frame.layout.slots[index] as Slot).name, value);
  }

  #globalValue(name: string): Value {
    let value = this.#globals.get(name);
    if (value === undefined) {
      const global = this.#linker.globals.get(name);
      if (global === undefined) throw new ExecutionError(`A definition of '${name}' not found`);
      value = this.#notTooDeep(this.#evaluateGlobal(global));
      this.#globals.set(name, value);
    }
    this.#unused -= this.#overhead;
    return value;
  }

  #evaluateGlobal(global: Global): Value {
    try {
      return global(this.#environment);
    } catch (error) {
      throw error instanceof NativeFailure ? this.#aborted(error.message) : error;
    }
  }

  #getField(object: Value | undefined, field: string): Value | undefined {
    if (object === undefined) return undefined;
    if (!(object instanceof Structure)) {
      throw new ExecutionError(`GETTER of non-case-object ${valueText(object)} with field '${field}`);
    }
    if (this.#unused <= 0) return undefined;
    const value = object.fields.get(field);
    if (value === undefined) throw this.#aborted(`key not found: ${field}`);
    this.#unused -= this.#overhead;
    return value;
  }

  /** Result of `#apply` if it entered no frame. */
  #result: Value | undefined;

  /** Applies a function to its arguments. @returns the frame to continue in; undefined: the result is in `#result` */
  #apply(code: Code, frame: Frame, args: readonly Value[]): Frame | undefined {
    if (code.retainsArgs) this.#retainedArgs = args;
    const log = this.#log;
    if (log !== undefined) {
      const isPriced = code.op === op.native || code.op === op.composed;
      if (!isPriced || this.#unused >= code.cost) log.addArguments(code.name, args);
      if (isPriced && this.#unused >= code.cost) {
        log.addComplexity(code.name, code.cost, this.#unused - code.cost);
      }
    }
    switch (code.op) {
      case op.native:
        this.#result =
          this.#applyNative(code.native as NativeFunction, code.cost, args) ??
          this.#suspend(args.length === 0 ? { kind: "expression", code, frame } : { kind: "call", code, frame, args });
        return undefined;
      case op.composed:
        return this.#enterComposed(code, frame, args);
      case op.user: {
        let home = frame;
        for (let hops = code.hops; hops > 0; hops--) home = home.parent as Frame;
        if (this.#rules.isNewMode) this.#push(waiting.user, code, frame, this.#unused);
        return this.#callFrame(code.layout as Layout, home, code.index, args);
      }
      case op.searchedUser:
        return this.#enterSearched(code, frame, args);
      case op.construct:
        this.#construct(code, args);
        return undefined;
      default:
        throw unknownFunction(code);
    }
  }

  #applyNative(definition: NativeFunction, cost: number, args: readonly Value[]): Value | undefined {
    if (this.#unused < cost) {
      if (this.#rules.isNewMode) this.#unused -= 1;
      return undefined;
    }
    if (definition.callOut !== undefined && this.#environment.callDApp !== undefined) {
      return this.#callOut(definition as NativeFunction & Required<Pick<NativeFunction, "callOut">>, cost, args);
    }
    const { evaluate } = definition;
    if (evaluate === undefined) throw new ScriptNotSupported(`${definition.name} (${definition.id}) is not supported`);
    let value: Value;
    try {
      value =
        this.#workMeter === undefined
          ? evaluate(args, this.#context)
          : this.#workMeter.evaluate(definition, cost, args, () => evaluate(args, this.#context));
    } catch (error) {
      if (error instanceof NativeFailure) {
        this.#unused = 0;
        throw new ExecutionError(
          `An error during run <${definition.printedAs}>: class ${error.exception} ${error.message}`,
        );
      }
      if (error instanceof ThrownError && !this.#rules.hasFixedThrownError) this.#unused = 0;
      else this.#unused -= cost;
      throw error;
    }
    this.#unused -= cost;
    return this.#notTooDeep(value);
  }

  #callOut(
    definition: NativeFunction & Required<Pick<NativeFunction, "callOut">>,
    cost: number,
    args: readonly Value[],
  ): Value {
    const available = this.#unused - cost;
    try {
      const { value, unusedComplexity, log } = definition.callOut(args, this.#context, available);
      this.#unused = unusedComplexity;
      this.#log?.entries.push(...log);
      return value;
    } catch (error) {
      if (error instanceof NativeFailure) {
        this.#unused = 0;
        throw new ExecutionError(
          `An error during run <${definition.printedAs}>: class ${error.exception} ${error.message}`,
        );
      }
      if (error instanceof CallFailure) this.#unused = error.unusedComplexity;
      // Before feature 22 such an error resets the spent complexity.
      else if (error instanceof ThrownError && !this.#rules.hasFixedThrownError) this.#unused = this.#limit;
      else this.#unused = available;
      throw error;
    }
  }

  #enterComposed(code: Code, frame: Frame, args: readonly Value[]): Frame {
    if (code.message !== undefined) this.#checkMessage(code.message, args);
    if (this.#rules.isNewMode) {
      this.#unused -= code.cost;
      this.#push(waiting.composed, code, frame, this.#unused);
    }
    const home = code.seesCaller ? frame : undefined;
    const entered = this.#callFrame(code.layout as Layout, home, code.scope?.visible ?? 0, args);
    entered.retainedArgs = this.#retainedArgs;
    return entered;
  }

  /** Checks the message of `value`, which the reference creates before it knows whether it is needed. */
  #checkMessage(message: NonNullable<Code["message"]>, args: readonly Value[]): void {
    if (args.length === 0) throw this.#aborted("head of empty list");
    const argsOfCall = this.#retainedArgs ?? [];
    if (argsOfCall.reduce((sum, value) => sum + weightOf(value), 0) < heavyMessage) return;
    const sizeBytes = utf8SizeBytes(message(argsOfCall));
    if (sizeBytes > MAX_VALUE_BYTES) {
      throw this.#aborted(`CommonError(String size=${sizeBytes} exceeds ${MAX_VALUE_BYTES} bytes)`);
    }
  }

  #enterSearched(code: Code, frame: Frame, args: readonly Value[]): Frame | undefined {
    const position = findDeclaration(code, frame, code.name, "function");
    if (position === undefined) {
      if (code.objectType === undefined) throw unknownFunction(code);
      this.#construct(code, args);
      return undefined;
    }
    const slot = position.frame.layout.slots[position.index] as Slot;
    const layout = this.#linker.callLayout(slot, args.length, {
      layout: position.frame.layout,
      visible: position.index,
    });
    if (this.#rules.isNewMode) this.#push(waiting.user, code, frame, this.#unused);
    return this.#callFrame(layout, frame, code.scope?.visible ?? 0, args);
  }

  #callFrame(layout: Layout, home: Frame | undefined, visible: number, args: readonly Value[]): Frame {
    const frame = new Frame(layout, home, visible);
    // Extra arguments are dropped; missing ones leave their parameters undefined.
    const given = Math.min(args.length, parameterCount(layout));
    for (let index = 0; index < given; index++) frame.values[index] = args[index];
    return frame;
  }

  #construct(code: Code, args: readonly Value[]): void {
    const type = code.objectType as ObjectType;
    if (this.#rules.checksConstructorArguments) checkConstructor(type, args);
    const count = Math.min(args.length, type.fields.length);
    const fields = new Map<string, Value>();
    for (let index = 0; index < count; index++) fields.set(type.fields[index] as string, args[index] as Value);
    const object = new Structure(type.name, fields);
    if (object.weight > MAX_WEIGHT) throw this.#aborted(tooHeavyText(object));
    this.#result = this.#notTooDeep(object);
    if (this.#rules.isNewMode) this.#endCall(code, this.#unused, object);
  }

  /** @throws WorkRefused no reference node could complete a block that uses, prints or hashes the value */
  #notTooDeep<Kind extends Value>(value: Kind): Kind {
    if (this.#refusesDepth && depthOf(value) > SAFE_DEPTH) {
      throw new WorkRefused(
        `a value nests deeper than ${SAFE_DEPTH} levels, which ends the thread of a reference node`,
      );
    }
    return value;
  }

  /** Ends a call: one that spent nothing costs 1. */
  #endCall(code: Code, unusedBefore: number, value: Value | undefined): void {
    if (this.#unused !== unusedBefore) return;
    if (this.#log !== undefined && this.#unused >= 1) {
      if (value !== undefined) this.#logEnclosingSlot(value);
      this.#log.addComplexity(code.name, 1, this.#unused - 1);
    }
    this.#unused -= 1;
    this.#workMeter?.spend(1);
  }

  /** Logs the value for the declaration that it belongs to, before the enclosing calls end. */
  #logEnclosingSlot(value: Value): void {
    for (let at = this.#height - 1; at >= 0; at--) {
      const kind = this.#kinds[at];
      if (kind === waiting.slot) this.#setSlot(this.#frames[at] as Frame, this.#numbers[at] as number, value);
      if (kind !== waiting.user && kind !== waiting.composed) return;
    }
  }

  /** Error of the reference's evaluator itself, which resets the spent complexity. */
  #aborted(message: string): Aborted {
    this.#unused = this.#limit;
    return new Aborted(message);
  }
}

function isValue(argument: Value | Suspension | undefined): argument is Value {
  return argument !== undefined && !(argument instanceof Suspension);
}

/** Failure that the log attributes to no declaration. */
class Aborted extends ExecutionError {}

function parameterCount(layout: Layout): number {
  let count = 0;
  while (count < layout.slots.length && isParameter(layout.slots[count] as Slot)) count++;
  return count;
}

function isParameter(slot: Slot): boolean {
  return slot.code === undefined && slot.declaration === undefined;
}

/** Looks up a name from a node outwards, through the frames in the order of their entry. */
function findDeclaration(
  code: Code,
  start: Frame | undefined,
  name: string,
  kind: "value" | "function",
): { readonly frame: Frame; readonly index: number } | undefined {
  let visible = code.scope?.visible ?? 0;
  for (let frame = start; frame !== undefined; frame = frame.parent) {
    const index = kind === "value" ? frame.layout.findValue(name, visible) : frame.layout.findFunction(name, visible);
    if (index !== -1) return { frame, index };
    visible = frame.visibleInParent;
  }
  return undefined;
}

function unknownFunction({ expression, name }: Code): ExecutionError {
  return typeof (expression.kind === "call" && expression.function) === "number"
    ? new ExecutionError(`function 'Native(${name})' not found`)
    : new ExecutionError(`Function or type '${name}' not found`);
}

/** @throws ExecutionError */
function checkConstructor(type: ObjectType, args: readonly Value[]): void {
  const argsText = `(${args.map(valueText).join(", ")})`;
  if (type.fields.length !== args.length) {
    throw new ExecutionError(
      `Constructor ${type.name} expected ${type.fields.length} args, but ${argsText} was passed`,
    );
  }
  if (!args.every((value, index) => fitsType(value, type.types[index] as string))) {
    throw new ExecutionError(
      `Passed args ${argsText} are unsuitable for constructor ${type.name}(${type.types.join(", ")})`,
    );
  }
}
