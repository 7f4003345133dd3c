/** dApps built as trees, without the compiler's restrictions. */
import type { Declaration, Expression } from "../../../src/ride/script/expression.ts";
import { encodeScript } from "../../../src/ride/script/script-bytes.ts";
import type { FamilyCall, FamilyDApp } from "./family.ts";

export interface TreeCase {
  readonly tree: Expression;
  readonly note: string;
}

export interface TreeCallable {
  readonly name: string;
  readonly parameters: readonly (readonly [name: string, type: keyof typeof typeBits])[];
  readonly body: Expression;
}

const typeBits = { integer: 1, binary: 2, boolean: 4, string: 8 } as const;
const metaVersion = 2;

/** A dApp in which each tree is the body of a callable without parameters. */
export function treeDApp(
  libraryVersion: number,
  cases: readonly TreeCase[],
  declarations: readonly Declaration[] = [],
): FamilyDApp {
  const callables = cases.map(({ tree }, index) => ({ name: `case${index}`, parameters: [], body: tree }));
  const calls = cases.map(({ note }, index) => ({ function: `case${index}`, args: [], note }));
  return { libraryVersion, script: callableScript(libraryVersion, callables, declarations), calls };
}

export function callableDApp(
  libraryVersion: number,
  callables: readonly TreeCallable[],
  calls: readonly FamilyCall[],
): FamilyDApp {
  return { libraryVersion, script: callableScript(libraryVersion, callables, []), calls };
}

function callableScript(
  libraryVersion: number,
  callables: readonly TreeCallable[],
  declarations: readonly Declaration[],
): Uint8Array {
  return encodeScript({
    content: "dApp",
    libraryVersion,
    dApp: {
      meta: {
        version: metaVersion,
        functions: callables.map(({ parameters }) => ({
          types: Uint8Array.from(parameters, ([, type]) => typeBits[type]),
        })),
        compactNames: [],
        originalNames: [],
      },
      declarations: [...declarations],
      callables: callables.map(({ name, parameters, body }) => ({
        argument: "i",
        function: { kind: "function", name, parameters: parameters.map(([parameter]) => parameter), body },
      })),
      verifier: undefined,
    },
  });
}
