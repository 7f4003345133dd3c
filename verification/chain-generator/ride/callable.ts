/** A callable function of a generated chain's dApps, with its callers' arguments. */
import type { Address } from "../../../src/crypto/identities.ts";
import type { Asset, AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { Alias, CallArgument, TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import type { GeneratedAccount, GeneratedAccounts } from "../generated-accounts.ts";
import type { SeededRandom } from "../seeded-random.ts";

export interface CallableText {
  readonly random: SeededRandom;
  readonly version: number;
}

/** The caller's view of the chain: a part of `ChainWorld`. */
export interface CallWorld {
  readonly view: StateView;
  readonly random: SeededRandom;
  readonly accounts: GeneratedAccounts;
  /** Assets issued so far. */
  assets(): readonly AssetId[];
  findAsset(): AssetId | undefined;
  address(): Address;
  someTransactionId(): TransactionId;
  ownedAlias(): Alias | undefined;
}

/** The caller's view of the dApp. */
export interface CallContext {
  readonly world: CallWorld;
  readonly dApp: GeneratedAccount;
  /** All dApps, including this one. */
  readonly dApps: readonly GeneratedAccount[];
}

export interface Callable {
  readonly name: string;
  /** Library versions. */
  readonly since: number;
  readonly until?: number;
  /** Parameters as Ride declares them. */
  readonly parameters: string;
  /** Expression for the function's result. */
  readonly body: (text: CallableText) => string;
  readonly args: (context: CallContext) => readonly CallArgument[];
  /** Typical assets of payments; otherwise any. */
  readonly payments?: (context: CallContext) => readonly Asset[];
  /** Number of assets that it issues: each costs a fee of its own. */
  readonly issues?: number;
  /** Relative frequency of calls; default 1. */
  readonly weight?: number;
}

export const integer = (value: bigint | number): CallArgument => ({ type: "integer", value: BigInt(value) });
export const boolean = (value: boolean): CallArgument => ({ type: "boolean", value });
export const text = (value: string): CallArgument => ({ type: "string", value });
export const binary = (value: Uint8Array): CallArgument => ({ type: "binary", value });
export const listOf = (value: readonly CallArgument[]): CallArgument => ({ type: "list", value });

/** Keys under which the functions store ids that they created. */
export const createdAssetKey = "made asset";
export const createdLeaseKey = "made lease";

/** An asset that the dApp's script has issued. */
export function findCreatedAsset({ world, dApp }: Pick<CallContext, "world" | "dApp">): AssetId | undefined {
  const entry = world.view.findData(dApp.address, createdAssetKey);
  return entry?.type === "binary" ? (entry.value as AssetId) : undefined;
}

/** An amount, mostly small; sometimes zero, negative, or more than any balance. */
export function amount({ random }: Pick<CallWorld, "random">): bigint {
  if (random.boolean(0.85)) return random.amount(1n, 100_000_000n);
  return random.pick([0n, -1n, 9_223_372_036_854_775_807n, 10n ** 17n]);
}

/** Bytes that are mostly the id of an asset that the dApp owns; sometimes an unknown one, or no id. */
export function assetBytes({ world, dApp }: CallContext): Uint8Array {
  const held = world.assets().filter((asset) => world.view.balance(dApp.address, asset) > 0n);
  if (held.length > 0 && world.random.boolean(0.85)) return world.random.pick(held);
  return world.random.pick([
    world.findAsset() ?? new Uint8Array(32),
    world.random.bytes(32),
    new Uint8Array(),
    new Uint8Array(5),
  ]);
}
