/**
 * Callables of a dApp as an Ethereum wallet sees them: their signatures and the first bytes of call data.
 * @source Waves: transaction/EthABIConverter.scala
 */
import { bytesKey } from "../../crypto/bytes.ts";
import { keccak256 } from "../../crypto/hash.ts";
import { utf8Bytes } from "../../protocol/codec/utf8.ts";
import { inFilteredTableOrder, textHash } from "../../protocol/hash-table-order.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { type ArgumentType, callableTypes, MetaError } from "../script/dapp-meta.ts";
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
const payment = [
  { name: "assetId", type: "bytes32" },
  { name: "amount", type: "int64" },
] as const;
const paymentsType = `(${payment.map(({ type }) => type).join(",")})[]`;
const paymentsInput = { name: "payments", type: "tuple[]", components: payment };

/**
 * Callables that can be called so, in the order of the reference's table of them: a union of types has no form there. Of two
 * with one name the later one counts.
 */
export function callableAbis(script: Script): readonly CallableAbi[] {
  if (script.content !== "dApp") return [];
  const types = typesOf(script.dApp) ?? [];
  const byName = new Map<string, readonly TypedParameter[]>();
  for (const [index, { function: declaration }] of script.dApp.callables.entries()) {
    const argumentTypes = types[index];
    if (argumentTypes === undefined) break;
    const { name, parameters } = declaration;
    byName.set(
      name,
      argumentTypes.slice(0, parameters.length).map((type, place) => ({ ...type, name: parameters[place] as string })),
    );
  }
  return inFilteredTableOrder(
    [...byName],
    ([, parameters]) => parameters.every(({ types: { length } }) => length === 1),
    ([name]) => textHash(name),
  ).map(([name, parameters]) => {
    const args = parameters.map(({ types: [type], isList, name: argument }) => ({
      name: argument,
      type: abiNames[type as keyof typeof abiNames],
      isList,
    }));
    return { name, args, selector: selectorOf(name, args) };
  });
}

interface TypedParameter extends ArgumentType {
  readonly name: string;
}

/** As a contract's interface is written in JSON. */
export function abiJson(script: Script): readonly JsonObject[] {
  return callableAbis(script).map(({ name, args }) => ({
    name,
    type: "function",
    constant: false,
    payable: false,
    stateMutability: "nonpayable",
    inputs: [...args.map((argument) => ({ name: argument.name, type: typeText(argument) })), paymentsInput],
    outputs: [],
  }));
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

function typeText({ type, isList }: Pick<AbiArgument, "type" | "isList">): string {
  return isList ? `${type}[]` : type;
}

function selectorOf(name: string, args: readonly AbiArgument[]): Uint8Array {
  const types = [...args.map(typeText), paymentsType];
  return keccak256(utf8Bytes(`${name}(${types.join(",")})`)).slice(0, SELECTOR_BYTES);
}
