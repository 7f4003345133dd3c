/**
 * Executable form of trees: names resolved to positions, functions to definitions. A node is linked when it is first
 * reached: a large script costs no more than its executed part.
 */
import type { ComposedFunction, NativeFunction } from "../functions/function-definition.ts";
import type { ObjectType } from "../functions/types.ts";
import type { Expression, FunctionDeclaration } from "../script/expression.ts";
import { depthOf, SAFE_DEPTH, unit, type Value } from "../values/value.ts";

export const op = {
  pending: 0,
  constant: 1,
  /** Value of a frame at a known position. */
  local: 2,
  global: 3,
  /** Value of a frame, looked up by name at run time. */
  searched: 4,
  condition: 5,
  getter: 6,
  /** Declarations and their body. */
  frame: 7,
  native: 8,
  composed: 9,
  user: 10,
  /** Function of the script, looked up by name at run time. */
  searchedUser: 11,
  construct: 12,
  unknownName: 13,
  unknownFunction: 14,
  /** The text that `value` throws. */
  message: 15,
  /** Constant that nests too deep for recursion. @see SAFE_DEPTH */
  deepConstant: 16,
} as const;

/** Scope of a node in the frames. */
export interface Scope {
  readonly layout: Layout;
  /** Number of the layout's slots that are declared before the node. */
  readonly visible: number;
}

/** Declaration or parameter. */
export interface Slot {
  readonly name: string;
  /** Code of a value; undefined for functions and parameters. */
  readonly code: Code | undefined;
  readonly declaration: FunctionDeclaration | undefined;
  /** Layouts of calls, by the number of arguments. */
  readonly calls: (Layout | undefined)[];
}

/** Contents of a frame. */
export class Layout {
  readonly parent: Scope | undefined;
  readonly slots: Slot[] = [];
  body: Code | undefined;
  readonly #values = new Map<string, number[]>();
  readonly #functions = new Map<string, number[]>();

  constructor(parent: Scope | undefined) {
    this.parent = parent;
  }

  add(slot: Slot): void {
    const indices = slot.declaration === undefined ? this.#values : this.#functions;
    const known = indices.get(slot.name);
    if (known === undefined) indices.set(slot.name, [this.slots.length]);
    else known.push(this.slots.length);
    this.slots.push(slot);
  }

  /** Index of the last value with that name among the visible slots, or -1. */
  findValue(name: string, visible: number): number {
    return lastBelow(this.#values.get(name), visible);
  }

  findFunction(name: string, visible: number): number {
    return lastBelow(this.#functions.get(name), visible);
  }
}

function lastBelow(indices: readonly number[] | undefined, visible: number): number {
  return indices?.findLast((index) => index < visible) ?? -1;
}

/** Values of declarations during the execution of their part of the script. */
export class Frame {
  readonly layout: Layout;
  readonly parent: Frame | undefined;
  /** Number of the parent's slots that are visible from here. */
  readonly visibleInParent: number;
  /** Undefined: not evaluated yet. */
  readonly values: (Value | undefined)[];
  /** Suspended evaluations of values. */
  #suspensions: (Suspension | undefined)[] | undefined;
  /** Whether each value is in the log. */
  logged: boolean[] | undefined;
  /** Arguments of the call that gave `value` its argument. */
  retainedArgs: readonly Value[] | undefined;

  constructor(layout: Layout, parent: Frame | undefined, visibleInParent: number) {
    this.layout = layout;
    this.parent = parent;
    this.visibleInParent = visibleInParent;
    this.values = new Array(layout.slots.length).fill(undefined);
    this.logged = undefined;
    this.retainedArgs = undefined;
  }

  /** Stores the suspended evaluation of a value after complexity ran out. */
  suspend(index: number, rest: Suspension): void {
    this.#suspensions ??= [];
    this.#suspensions[index] = rest;
  }

  /** Suspended evaluation of a value; undefined if its evaluation has not begun. */
  suspensionOf(index: number): Suspension | undefined {
    return this.#suspensions?.[index];
  }
}

/** Choice or getter, with the state of its condition or object. */
export interface SuspendedPart {
  readonly kind: "condition" | "getter";
  readonly code: Code;
  readonly frame: Frame;
  readonly part: Value | Suspension;
}

/** Call, with the states of its arguments: undefined for unvisited ones. */
export interface SuspendedCall {
  readonly kind: "call";
  readonly code: Code;
  readonly frame: Frame;
  readonly args: readonly (Value | Suspension | undefined)[];
}

/**
 * Suspended evaluation of an expression after complexity ran out. The reference stores it in the tree, instead of the
 * expression, and visits it again with the complexity that remains then: composed functions return the part that their
 * bodies did not use.
 */
export class Suspension {
  readonly of:
    | { readonly kind: "expression"; readonly code: Code; readonly frame: Frame }
    | { readonly kind: "declaration"; readonly frame: Frame; readonly index: number }
    | SuspendedPart
    | SuspendedCall;

  constructor(of: Suspension["of"]) {
    this.of = of;
  }
}

const noCodes: readonly Code[] = [];

/** Node. All nodes have the same fields, whatever their kind: this keeps the machine fast. */
export class Code {
  op: number = op.pending;
  readonly expression: Expression;
  readonly scope: Scope | undefined;
  value: Value = unit;
  /** Name of a reference, field of a getter, or name of a called function in logs. */
  name = "";
  /** Frames to go up, and the position there. */
  hops = 0;
  index = 0;
  /** Condition or object. */
  first: Code | undefined = undefined;
  ifTrue: Code | undefined = undefined;
  ifFalse: Code | undefined = undefined;
  args: readonly Code[] = noCodes;
  cost = 0;
  native: NativeFunction | undefined = undefined;
  composed: ComposedFunction | undefined = undefined;
  layout: Layout | undefined = undefined;
  /** Whether the names of a composed function are looked up in the scope of the call. */
  seesCaller = false;
  /** Whether the arguments of this call are part of the error that an enclosing `value` may throw. */
  retainsArgs = false;
  /** Arguments that were linked earlier. */
  preset: readonly Code[] | undefined = undefined;
  objectType: ObjectType | undefined = undefined;
  message: ((args: readonly Value[]) => string) | undefined = undefined;

  constructor(expression: Expression, scope: Scope | undefined) {
    this.expression = expression;
    this.scope = scope;
  }

  setConstant(value: Value): void {
    this.value = value;
    this.op = depthOf(value) > SAFE_DEPTH ? op.deepConstant : op.constant;
  }
}
