/**
 * Callables of a dApp for Ethereum wallets: their signatures and selectors.
 * @source Waves: transaction/EthABIConverter.scala
 */
import { keccak256 } from "../../crypto/hash.ts";
import { utf8Bytes } from "../../protocol/codec/utf8.ts";
import { inFilteredTableOrder, textHash } from "../../protocol/hash-table-order.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { type ArgumentType, callableTypes, callableTypesAt, MetaError } from "../script/dapp-meta.ts";
import type { AnnotatedFunction, DApp, Script } from "../script/expression.ts";

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

/** Last argument of every call, a list of payments: id of the asset, 0 for WAVES, and amount. */
const payment = [
  { name: "assetId", type: "bytes32" },
  { name: "amount", type: "int64" },
] as const;
const paymentsType = `(${payment.map(({ type }) => type).join(",")})[]`;
const paymentsInput = { name: "payments", type: "tuple[]", components: payment };

interface Signature {
  readonly name: string;
  readonly args: readonly AbiArgument[];
  /** Index of the callable in its dApp. */
  readonly index: number;
}

/**
 * Callables without union types, which have no form in the ABI, in the order of the reference's table. A later callable
 * replaces an earlier one with the same name.
 */
function signaturesOf(script: Script): readonly Signature[] {
  if (script.content !== "dApp") return [];
  const { callables } = script.dApp;
  const types = typesOf(script.dApp) ?? [];
  const places = new Map(callables.slice(0, types.length).map(({ function: { name } }, place) => [name, place]));
  return inFilteredTableOrder(
    [...places],
    ([, place]) => parametersOf(callables[place], types[place]).every(({ types: { length } }) => length === 1),
    ([name]) => textHash(name),
  ).map(([name, index]) => ({ name, index, args: argumentsOf(callables[index], types[index]) }));
}

/** Callables with their selectors. */
export function callableAbis(script: Script): readonly CallableAbi[] {
  return signaturesOf(script).map(({ name, args }) => ({ name, args, selector: selectorOf(name, args) }));
}

interface TypedParameter extends ArgumentType {
  readonly name: string;
}

function parametersOf(
  callable: AnnotatedFunction | undefined,
  types: readonly ArgumentType[] = [],
): readonly TypedParameter[] {
  const parameters = callable?.function.parameters ?? [];
  return types.slice(0, parameters.length).map((type, place) => ({ ...type, name: parameters[place] as string }));
}

/** @param callable without union types */
function argumentsOf(callable: AnnotatedFunction | undefined, types?: readonly ArgumentType[]): readonly AbiArgument[] {
  return parametersOf(callable, types).map(({ types: [type], isList, name }) => ({
    name,
    type: abiNames[type as keyof typeof abiNames],
    isList,
  }));
}

/** Contract interface in JSON. */
export function abiJson(script: Script): readonly JsonObject[] {
  return signaturesOf(script).map(({ name, args }) => ({
    name,
    type: "function",
    constant: false,
    payable: false,
    stateMutability: "nonpayable",
    inputs: [...args.map((argument) => ({ name: argument.name, type: typeText(argument) })), paymentsInput],
    outputs: [],
  }));
}

/**
 * Callable with the selector of call data.
 * PERF: a dApp may have thousands of callables, whose hashes take 0.1 s. Their indexes are cached as long as the parsed
 * script.
 */
export function findCallableAbi(script: Script, selector: Uint8Array): CallableAbi | undefined {
  if (script.content !== "dApp" || selector.length !== SELECTOR_BYTES) return undefined;
  const { callables, meta } = script.dApp;
  const place = indexesOf(script).get(selectorNumber(selector));
  if (place === undefined) return undefined;
  const callable = callables[place];
  const args = argumentsOf(callable, callableTypesAt(meta, place));
  return { name: callable?.function.name ?? "", args, selector: selector.slice() };
}

/** Indexes of callables by their selectors. Of two with the same selector the last one counts. */
const indexesBySelector = new WeakMap<Script, ReadonlyMap<number, number>>();

function indexesOf(script: Script): ReadonlyMap<number, number> {
  const known = indexesBySelector.get(script);
  if (known !== undefined) return known;
  const found = new Map(
    signaturesOf(script).map(({ name, args, index }) => [selectorNumber(selectorOf(name, args)), index]),
  );
  indexesBySelector.set(script, found);
  return found;
}

function selectorNumber(selector: Uint8Array): number {
  return selector.reduce((number, byte) => number * 256 + byte, 0);
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
  return keccak256(utf8Bytes(signatureText(name, args))).slice(0, SELECTOR_BYTES);
}

function signatureText(name: string, args: readonly AbiArgument[]): string {
  return `${name}(${[...args.map(typeText), paymentsType].join(",")})`;
}

/** Maximum length of the parameters, with the parentheses. */
const maxParametersLength = 2_000;

/**
 * Reason why the reference's library accepts no call of the callable, although its JSON interface contains it.
 * @source headlong 11.1.1: abi/Function.java (validateName), abi/TypeFactory.java (MAX_LENGTH_CHARS)
 */
export function findSignatureError({ name, args }: CallableAbi): string | undefined {
  const signature = signatureText(name, args);
  const parameters = signature.slice(signature.indexOf("("));
  if (parameters.length > maxParametersLength)
    return `type length exceeds maximum: ${parameters.length} > ${maxParametersLength}`;
  if (name.includes("(")) return `unrecognized type: "${parameters}"`;
  const position = name.search(/[^\0-\x7f]/u);
  if (position < 0) return undefined;
  return `illegal char 0x${name.charCodeAt(position).toString(16)} '${name.charAt(position)}' @ index ${position}`;
}
