/**
 * Trees as the machine runs them: names resolved to places, functions to rows. A node is made ready when it is first
 * reached, so that a large script costs no more than the part that runs.
 */
import type { ComposedFunction, NativeFunction } from "../functions/function-row.ts";
import type { ObjectType } from "../functions/types.ts";
import type { Expression, FunctionDeclaration } from "../script/expression.ts";
import { depthOf, SAFE_DEPTH, unit, type Value } from "../values/value.ts";

export const op = {
  pending: 0,
  constant: 1,
  /** A value of a frame, at a place known beforehand. */
  local: 2,
  global: 3,
  /** A value of a frame, to be looked for by name while running. */
  searched: 4,
  condition: 5,
  getter: 6,
  /** Declarations and what they are for. */
  frame: 7,
  native: 8,
  composed: 9,
  user: 10,
  /** A function of the script, to be looked for by name while running. */
  searchedUser: 11,
  construct: 12,
  unknownName: 13,
  unknownFunction: 14,
  /** The text that `value` throws. */
  message: 15,
  /** A constant that nests deeper than own work may. @see SAFE_DEPTH */
  deepConstant: 16,
} as const;

/** Where a node stands: what it sees of the frames. */
export interface Scope {
  readonly layout: Layout;
  /** So many of the layout's slots are declared before the node. */
  readonly visible: number;
}

/** A declaration, or a parameter. */
export interface Slot {
  readonly name: string;
  /** Code of a value; undefined for functions and parameters. */
  readonly code: Code | undefined;
  readonly declaration: FunctionDeclaration | undefined;
  /** Layout of a call, by the number of arguments given. */
  readonly calls: (Layout | undefined)[];
}

/** What a frame holds. */
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

/** Values of declarations while their part of the script runs. */
export class Frame {
  readonly layout: Layout;
  readonly parent: Frame | undefined;
  /** So many of the parent's slots are visible from here. */
  readonly visibleInParent: number;
  /** Undefined: not evaluated yet. */
  readonly values: (Value | undefined)[];
  /** Of values whose evaluation came to no end. */
  #rests: (Rest | undefined)[] | undefined;
  /** Which values are in the log. */
  logged: boolean[] | undefined;
  /** Arguments of the call that gave `value` its argument. */
  kept: readonly Value[] | undefined;

  constructor(layout: Layout, parent: Frame | undefined, visibleInParent: number) {
    this.layout = layout;
    this.parent = parent;
    this.visibleInParent = visibleInParent;
    this.values = new Array(layout.slots.length).fill(undefined);
    this.logged = undefined;
    this.kept = undefined;
  }

  /** Notes what is left of a value's expression, since complexity ran out while it was evaluated. */
  leave(index: number, rest: Rest): void {
    this.#rests ??= [];
    this.#rests[index] = rest;
  }

  /** What is left of a value's expression; undefined where its evaluation has not begun. */
  restOf(index: number): Rest | undefined {
    return this.#rests?.[index];
  }
}

/** A choice or a getter, and what is known of its condition or object. */
export interface RestOfPart {
  readonly kind: "condition" | "getter";
  readonly code: Code;
  readonly frame: Frame;
  readonly part: Value | Rest;
}

/** A call, with what is known of its arguments: undefined of those that were not visited. */
export interface RestOfCall {
  readonly kind: "call";
  readonly code: Code;
  readonly frame: Frame;
  readonly args: readonly (Value | Rest | undefined)[];
}

/**
 * What is left of an expression in whose evaluation complexity ran out. The reference has it in the tree, in the place of
 * the expression, and visits it again with what complexity there is then: composed functions give back what their bodies
 * lacked.
 */
export class Rest {
  readonly of:
    | { readonly kind: "expression"; readonly code: Code; readonly frame: Frame }
    | { readonly kind: "declaration"; readonly frame: Frame; readonly index: number }
    | RestOfPart
    | RestOfCall;

  constructor(of: Rest["of"]) {
    this.of = of;
  }
}

const noCodes: readonly Code[] = [];

/** A node. All nodes have the same fields, whatever they are: the machine stays fast. */
export class Code {
  op: number = op.pending;
  readonly expression: Expression;
  readonly scope: Scope | undefined;
  value: Value = unit;
  /** Name of a reference, field of a getter, name of a called function as logs print it. */
  name = "";
  /** Frames to go up, and the place there. */
  hops = 0;
  index = 0;
  /** Condition, object. */
  first: Code | undefined = undefined;
  ifTrue: Code | undefined = undefined;
  ifFalse: Code | undefined = undefined;
  args: readonly Code[] = noCodes;
  cost = 0;
  native: NativeFunction | undefined = undefined;
  composed: ComposedFunction | undefined = undefined;
  layout: Layout | undefined = undefined;
  /** A composed function's names are looked for from the place of the call. */
  seesCaller = false;
  /** The arguments of this call are part of what an enclosing `value` may throw. */
  isKept = false;
  /** Arguments that were made ready beforehand. */
  preset: readonly Code[] | undefined = undefined;
  objectType: ObjectType | undefined = undefined;
  message: ((kept: readonly Value[]) => string) | undefined = undefined;

  constructor(expression: Expression, scope: Scope | undefined) {
    this.expression = expression;
    this.scope = scope;
  }

  setConstant(value: Value): void {
    this.value = value;
    this.op = depthOf(value) > SAFE_DEPTH ? op.deepConstant : op.constant;
  }
}
