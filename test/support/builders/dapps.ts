/** dApps of test sources in a state, and calls of them. */

import type { PublicKey } from "../../../src/crypto/identities.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { CallArgument, InvokeScriptTransaction, Script } from "../../../src/protocol/transactions/transaction.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import type { Effort, Execution } from "../../../src/rules/transactions/block-context.ts";
import type { TraceStep } from "../../../src/rules/transactions/scripts/trace.ts";
import { InMemoryState, type StateOptions } from "../fakes/in-memory-state.ts";
import { compileSource } from "./reference-compiler.ts";
import { addresses, assetId, context, keys, sample, to } from "./sample-transactions.ts";

/** Caller, and owners of the called scripts. */
export const caller = { key: keys.alice, address: addresses.alice } as const;
export const dApp = { key: keys.bob, address: addresses.bob } as const;
export const otherDApp = { key: keys.carol, address: addresses.carol } as const;
export const bystander = addresses.matcher;

export const waves = 100_000_000n;
/** Asset of the tests' dApp. */
export const ownAsset = assetId(1);
export const scriptedAsset = assetId(2);

export function compiled(version: number, body: string, scriptType: "ACCOUNT" | "ASSET" = "ACCOUNT"): Script {
  const content = scriptType === "ASSET" ? "EXPRESSION" : "DAPP";
  const head = [`STDLIB_VERSION ${version}`, `CONTENT_TYPE ${content}`, `SCRIPT_TYPE ${scriptType}`];
  const source = head.map((line) => `{-# ${line} #-}\n`).join("") + body;
  return new Uint8Array(compileSource(source).result as ArrayBuffer) as Script;
}

/** Callable `call` with the expression as its result. */
export function callable(result: string, before = ""): string {
  return `@Callable(i)\nfunc call() = {\n${before}\n${result}\n}\n`;
}

/** Condition that is false and costs about 200 for each of the signatures. */
export function expensive(signatures: number): string {
  return Array.from({ length: signatures }, () => "sigVerify(base58'', base58'', base58'')").join(" || ");
}

/** State with rich accounts. The dApp owns two assets, one of them scripted. */
export function world(
  scripts: { readonly dApp?: Script; readonly other?: Script; readonly asset?: Script },
  options: StateOptions = {},
): InMemoryState {
  const state = new InMemoryState(options)
    .withBalance(caller.address, 1_000n * waves)
    .withBalance(dApp.address, 1_000n * waves)
    .withBalance(otherDApp.address, 1_000n * waves)
    .withAsset(ownAsset, { issuer: dApp.key, volume: 1_000n });
  const asset = scripts.asset;
  state.withAsset(scriptedAsset, {
    issuer: dApp.key,
    volume: 1_000n,
    ...(asset && { script: { script: asset, complexity: 10n } }),
  });
  for (const holder of [caller, dApp, otherDApp])
    for (const held of [ownAsset, scriptedAsset]) state.withBalance(holder.address, 300n, held);
  if (scripts.dApp) withScript(state, dApp.key, scripts.dApp);
  if (scripts.other) withScript(state, otherDApp.key, scripts.other);
  return state;
}

function withScript(state: InMemoryState, publicKey: PublicKey, script: Script): void {
  state.apply({ accountScripts: [{ publicKey, script, verifierComplexity: 0n }] });
}

export interface CallOptions extends Partial<Omit<InvokeScriptTransaction, "call">> {
  readonly function?: string;
  readonly args?: readonly CallArgument[];
  readonly execution?: Execution;
  /** Receives the steps of the scripts. */
  readonly trace?: TraceStep[];
  /** Counts the executed complexity. */
  readonly effort?: Effort;
}

/** Result of a call of the dApp. */
export function invoke(state: InMemoryState, options: CallOptions = {}) {
  const { function: name = "call", args = [], execution, trace, effort, ...fields } = options;
  const transaction = sample(16, {
    version: 2,
    dApp: to(dApp.address),
    call: { function: name, args },
    payments: [],
    fee: 10n * waves,
    ...fields,
  });
  return applyTransaction(transaction, state, {
    ...context,
    verifySignatures: false,
    ...(execution && { execution }),
    ...(trace && { trace }),
    effort,
  });
}

/** Error text of a call that is refused or fails. */
export function errorOf(state: InMemoryState, options: CallOptions = {}): string {
  try {
    const { callResult } = invoke(state, options);
    return callResult?.error?.text ?? "no error";
  } catch (error) {
    if (error instanceof RuleError && "message" in error.violation) return String(error.violation.message);
    throw error;
  }
}
