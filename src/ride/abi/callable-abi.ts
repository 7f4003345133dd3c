/**
 * Callables of a dApp as an Ethereum wallet sees them: their signatures and the first bytes of call data.
 * @source Waves: transaction/EthABIConverter.scala
 */
import { bytesKey } from "../../crypto/bytes.ts";
import { keccak256 } from "../../crypto/hash.ts";
import { utf8Bytes } from "../../protocol/codec/utf8.ts";
import { callableTypes, MetaError } from "../script/dapp-meta.ts";
import type { DApp, Script } from "../script/expression.ts";

export const SELECTOR_BYTES = 4;

const abiNames = { Int: "int64", ByteVector: "bytes", Boolean: "bool", String: "string" } as const;
export type AbiPrimitive = (typeof abiNames)[keyof typeof abiNames];

export interface AbiArgument {
  readonly name: string;
  readonly type: AbiPrimitive;
  readonly isList: boolean;
}

export interface CallableAbi {
  readonly name: string;
  readonly args: readonly AbiArgument[];
  /** First 4 bytes of the hash of its signature. */
  readonly selector: Uint8Array;
}

/** Every call ends with a list of payments: id of the asset, 0 for WAVES, and amount. */
const paymentsType = "(bytes32,int64)[]";

/** Callables that can be called so: a union of types has no form there. Of two with one name the later one counts. */
export function callableAbis(script: Script): readonly CallableAbi[] {
  if (script.content !== "dApp") return [];
  const types = typesOf(script.dApp);
  if (types === undefined) return [];
  const byName = new Map<string, CallableAbi>();
  for (const [index, { function: declaration }] of script.dApp.callables.entries()) {
    const argumentTypes = types[index];
    if (argumentTypes === undefined) break;
    const { name, parameters } = declaration;
    byName.delete(name);
    const known = argumentTypes.slice(0, parameters.length);
    if (known.some((type) => type.types.length > 1)) continue;
    const args = known.map(({ types: [type], isList }, place) => ({
      name: parameters[place] as string,
      type: abiNames[type as keyof typeof abiNames],
      isList,
    }));
    byName.set(name, { name, args, selector: selectorOf(name, args) });
  }
  return [...byName.values()];
}

/** The callable that call data begin with. */
export function findCallableAbi(script: Script, selector: Uint8Array): CallableAbi | undefined {
  const key = bytesKey(selector);
  return callableAbis(script).findLast((abi) => bytesKey(abi.selector) === key);
}

function typesOf(dApp: DApp) {
  try {
    return callableTypes(dApp.meta);
  } catch (error) {
    if (error instanceof MetaError) return undefined;
    throw error;
  }
}

function selectorOf(name: string, args: readonly AbiArgument[]): Uint8Array {
  const types = [...args.map(({ type, isList }) => (isList ? `${type}[]` : type)), paymentsType];
  return keccak256(utf8Bytes(`${name}(${types.join(",")})`)).slice(0, SELECTOR_BYTES);
}
