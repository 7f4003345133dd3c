/** Cases: generated in batches of one library version, compiled together, and evaluated by this node. */

import type { CompiledScript, RideLang } from "@waves/ride-lang";
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { parseBase64 } from "../../src/crypto/base64.ts";
import type { PublicKey } from "../../src/crypto/identities.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { baseFeeWavelets } from "../../src/protocol/transactions/fee-units.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { decompile } from "../../src/ride/decompiler/decompile.ts";
import { estimateScript } from "../../src/ride/estimator/script-complexity.ts";
import { cachedScript } from "../../src/ride/evaluator/dapp-program.ts";
import {
  type EvaluationResult,
  evaluateCall,
  evaluateExpression,
  evaluationResultJson,
} from "../../src/ride/evaluator/evaluation-result.ts";
import { type Invocation, knownId } from "../../src/ride/objects/invocation.ts";
import type { DApp, Expression } from "../../src/ride/script/expression.ts";
import { encodeScript, parseScript } from "../../src/ride/script/script-bytes.ts";
import { Text } from "../../src/ride/values/text.ts";
import type { Value } from "../../src/ride/values/value.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { FuzzCall } from "./dapp-writer.ts";
import { type FuzzWorld, worldEnvironment } from "./fuzz-world.ts";
import type { ScriptRun } from "./lang-evaluator.ts";
import { SourceWriter } from "./source-writer.ts";

export interface FuzzCase {
  readonly libraryVersion: number;
  /** Readable source: the expression, or the dApp with the call. */
  readonly source: string;
  readonly result: EvaluationResult;
  /** Upper bound by the compiler; undefined: none. */
  readonly bound: number | undefined;
  /** Request for another node; undefined: impossible. */
  readonly request: { readonly body: JsonObject; readonly address: Uint8Array } | undefined;
  /** Run for another evaluator; undefined: impossible. */
  readonly run: ScriptRun | undefined;
  /** Differences in error messages count. */
  readonly comparesMessages: boolean;
}

export interface HostDApp {
  readonly address: Uint8Array;
  readonly script: Uint8Array;
}

const complexityLimit = 52_000;
const newestEstimator = { fixesOverflow: true, hasOverhead: false, fixesArguments: true } as const;
const rules = {
  isNewMode: true,
  hasFixedThrownError: true,
  checksConstructorArguments: true,
  hasSynchronousCallFixes: true,
} as const;
const invokeFee = baseFeeWavelets(TransactionType.InvokeScript);
/** Sources have functions from this version on. */
const functionsSince = 3;
const noDApp: DApp = {
  meta: { version: 0, functions: [], compactNames: [], originalNames: [] },
  declarations: [],
  callables: [],
  verifier: undefined,
};

/** Invocation of a call without a sender. */
function anonymousInvocation(chainId: number, feeWavelets: bigint): Invocation {
  const publicKey = new Uint8Array(32) as PublicKey;
  const address = addressOfPublicKey(publicKey, chainId);
  return {
    caller: address,
    callerPublicKey: publicKey,
    originCaller: address,
    originCallerPublicKey: publicKey,
    transactionId: knownId(new Uint8Array(32)),
    feeWavelets,
    feeAssetId: null,
    payments: [],
  };
}

function settingOf(dApp: DApp, libraryVersion: number, world: FuzzWorld, self: Uint8Array) {
  const { chainId } = world;
  return {
    dApp,
    linkOptions: { libraryVersion, content: "dApp", guards: "account", chainId, hasLexicalScope: true },
    environment: worldEnvironment(world, self),
    rules,
    complexityLimit,
  } as const;
}

/** Random expressions in a dApp of that version. */
export function expressionCases(
  random: SeededRandom,
  libraryVersion: number,
  count: number,
  { compiler, world, host }: { compiler: RideLang; world: FuzzWorld; host: HostDApp | undefined },
): readonly FuzzCase[] {
  const writer = new SourceWriter(random, libraryVersion, world.names);
  const sources = Array.from({ length: count }, () =>
    writer.expression(libraryVersion < functionsSince ? "Boolean" : writer.anyType()),
  );
  const script = host === undefined ? undefined : parseScript(host.script);
  const dApp = script?.content === "dApp" ? script.dApp : noDApp;
  const self = host?.address ?? (world.names.accounts[0] as Uint8Array);
  return compiledExpressions(compiler, libraryVersion, sources).map(({ source, expression, bound }) => ({
    libraryVersion,
    source,
    bound,
    result: evaluateExpression(
      expression,
      anonymousInvocation(world.chainId, 0n),
      settingOf(dApp, libraryVersion, world, self),
    ),
    request: host && { body: { expr: source }, address: host.address },
    run:
      libraryVersion < functionsSince
        ? undefined
        : {
            script: encodeScript({ content: "expression", libraryVersion, expression }),
            address: self,
            call: undefined,
          },
    comparesMessages: true,
  }));
}

interface CompiledExpression {
  readonly source: string;
  readonly expression: Expression;
  readonly bound: number | undefined;
}

/** Compiles all at once; sources that the compiler refuses are left out. */
function compiledExpressions(
  compiler: RideLang,
  libraryVersion: number,
  sources: readonly string[],
): CompiledExpression[] {
  if (libraryVersion < functionsSince) {
    return sources.flatMap((source) => {
      const compiled = compile(compiler, `{-# STDLIB_VERSION ${libraryVersion} #-}\n${source}`);
      const script = compiled && checkedScript(compiler, compiled);
      if (compiled === undefined || script?.content !== "expression") return [];
      return { source, expression: script.expression, bound: compiled.complexity };
    });
  }
  const functions = sources.map((source, index) => `func case${index}() = {\n${source}\n}`);
  const head = `{-# STDLIB_VERSION ${libraryVersion} #-}\n{-# CONTENT_TYPE DAPP #-}\n{-# SCRIPT_TYPE ACCOUNT #-}\n`;
  const compiled = compile(compiler, `${head}${functions.join("\n")}\n`);
  if (compiled === undefined) {
    if (sources.length === 1) return [];
    const middle = sources.length >> 1;
    return [sources.slice(0, middle), sources.slice(middle)].flatMap((half) =>
      compiledExpressions(compiler, libraryVersion, half),
    );
  }
  const script = checkedScript(compiler, compiled);
  if (script.content !== "dApp") throw new Error("not a dApp");
  return script.dApp.declarations.map((declaration, index) => {
    if (declaration.kind !== "function") throw new Error("not a function");
    const bound = compiled.userFunctionComplexities?.[`case${index}`];
    return { source: sources[index] as string, expression: declaration.body, bound };
  });
}

/** @returns undefined when the compiler refuses the source */
export function compile(compiler: RideLang, source: string): CompiledScript | undefined {
  const outcome = compiler.compile(source, 3, false, false, {});
  return outcome.result === undefined ? undefined : outcome;
}

/** The parsed script, after checks that the compiler agrees on its bytes, source and complexities. @throws Error */
export function checkedScript(compiler: RideLang, compiled: CompiledScript) {
  const bytes = new Uint8Array(compiled.result);
  const script = parseScript(bytes);
  if (Buffer.compare(encodeScript(script), bytes) !== 0)
    throw new Error("the script has other bytes when it is written");
  const theirs = compiler.decompile(Buffer.from(bytes).toString("base64"));
  if (theirs.result !== decompile(script).source) throw new Error(`decompiled otherwise:\n${theirs.result}`);
  if (compiled.callableComplexities !== undefined) {
    const own = estimateScript(script, { estimator: newestEstimator, hasVerifierLimit: true });
    for (const [name, cost] of Object.entries(compiled.callableComplexities)) {
      if (own.callables.get(name) !== BigInt(cost))
        throw new Error(`${name} costs ${cost}, not ${own.callables.get(name)}`);
    }
  }
  return script;
}

/** Cases from calls of a dApp. */
export function callCases(
  host: HostDApp,
  { source, calls }: { readonly source: string; readonly calls: readonly FuzzCall[] },
  world: FuzzWorld,
  bounds: CompiledScript["callableComplexities"],
): readonly FuzzCase[] {
  return calls.map((call) => {
    const shown = `${call.function}(${call.args.map(({ value }) => String(value)).join(", ")}) of\n${source}`;
    return callCase(host, call, shown, world, bounds?.[call.function]);
  });
}

export function callCase(
  { address, script: bytes }: HostDApp,
  { function: name, args }: FuzzCall,
  source: string,
  world: FuzzWorld,
  bound: number | undefined,
): FuzzCase {
  const script = cachedScript(bytes);
  if (script.content !== "dApp") throw new Error("not a dApp");
  const setting = settingOf(script.dApp, script.libraryVersion, world, address);
  return {
    libraryVersion: script.libraryVersion,
    source,
    bound,
    result: evaluateCall(name, args.map(argumentValue), anonymousInvocation(world.chainId, invokeFee), setting),
    request: { body: { call: { function: name, args } }, address },
    run: { script: bytes, address, call: { function: name, args } },
    comparesMessages: true,
  };
}

function argumentValue({ type, value }: JsonObject): Value {
  if (type === "string") return new Text(value as string);
  if (type !== "binary") return value as bigint | boolean;
  const bytes = parseBase64(value as string);
  if (!(bytes instanceof Uint8Array)) throw new Error("not base64");
  return bytes;
}

/** The result without the members that repeat the request, and without state changes. */
export function caseJson({ result }: FuzzCase): JsonObject {
  const { stateChanges: _, ...rest } = evaluationResultJson(result, { hasTrace: true, stateChanges: {} });
  return rest;
}
