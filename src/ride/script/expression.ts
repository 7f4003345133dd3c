/**
 * Scripts as trees.
 * @source Waves: lang/v1/compiler/Terms.scala, lang/contract/DApp.scala
 */
import type { Value } from "../values/value.ts";
import type { DAppMeta } from "./dapp-meta.ts";

export type Expression =
  | { readonly kind: "constant"; readonly value: Value }
  | { readonly kind: "reference"; readonly name: string }
  | { readonly kind: "getter"; readonly object: Expression; readonly field: string }
  | {
      readonly kind: "if";
      readonly condition: Expression;
      readonly ifTrue: Expression;
      readonly ifFalse: Expression;
    }
  | {
      readonly kind: "block";
      readonly declaration: Declaration;
      readonly body: Expression;
      /** Versions 1 and 2 have a block for values only; the later form also declares functions. */
      readonly isLetBlock: boolean;
    }
  | Call;

export interface Call {
  readonly kind: "call";
  /** Id of a native function, or name of one that the library or the script declares. */
  readonly function: number | string;
  readonly args: readonly Expression[];
}

export type Declaration = LetDeclaration | FunctionDeclaration;
export interface LetDeclaration {
  readonly kind: "let";
  readonly name: string;
  readonly value: Expression;
}
export interface FunctionDeclaration {
  readonly kind: "function";
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: Expression;
}

/** Entry function of a dApp: a callable, or the verifier. */
export interface AnnotatedFunction {
  /** Name of the invocation or the transaction in the function. */
  readonly argument: string;
  readonly function: FunctionDeclaration;
}
export interface DApp {
  readonly meta: DAppMeta;
  readonly declarations: readonly Declaration[];
  readonly callables: readonly AnnotatedFunction[];
  readonly verifier: AnnotatedFunction | undefined;
}

export type Script =
  | { readonly content: "expression"; readonly libraryVersion: number; readonly expression: Expression }
  | { readonly content: "dApp"; readonly libraryVersion: number; readonly dApp: DApp };

/** Node kinds on the wire. */
export const node = {
  long: 0,
  bytes: 1,
  text: 2,
  if: 3,
  letBlock: 4,
  reference: 5,
  true: 6,
  false: 7,
  getter: 8,
  call: 9,
  block: 10,
  list: 11,
} as const;
/** Kinds of called functions. */
export const header = { native: 0, user: 1 } as const;
/** Kinds of declarations in a block. */
export const declared = { let: 0, function: 1 } as const;
