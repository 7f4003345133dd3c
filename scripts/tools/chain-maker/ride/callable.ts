/** A function of a dApp that a made chain has, with those who call it. */
import type { Address } from "../../../../src/crypto/identities.ts";
import type { Asset, AssetId } from "../../../../src/protocol/transactions/asset.ts";
import type { Alias, CallArgument, TransactionId } from "../../../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../../../../src/rules/state/state-view.ts";
import type { MadeAccount, MadeAccounts } from "../made-accounts.ts";
import type { SeededRandom } from "../seeded-random.ts";

export interface CallableText {
  readonly random: SeededRandom;
  readonly version: number;
}

/** What a caller knows of the chain: a part of `ChainWorld`. */
export interface CallWorld {
  readonly view: StateView;
  readonly random: SeededRandom;
  readonly accounts: MadeAccounts;
  /** Assets that were issued so far. */
  assets(): readonly AssetId[];
  findAsset(): AssetId | undefined;
  address(): Address;
  someTransactionId(): TransactionId;
  ownedAlias(): Alias | undefined;
}

/** What a caller knows of the dApp. */
export interface CallPlace {
  readonly world: CallWorld;
  readonly dApp: MadeAccount;
  /** The other dApps, and itself. */
  readonly dApps: readonly MadeAccount[];
}

export interface Callable {
  readonly name: string;
  /** Library versions. */
  readonly since: number;
  readonly until?: number;
  /** As Ride declares them. */
  readonly parameters: string;
  /** An expression: what the function gives. */
  readonly body: (text: CallableText) => string;
  readonly args: (place: CallPlace) => readonly CallArgument[];
  /** What is mostly paid with; otherwise anything. */
  readonly payments?: (place: CallPlace) => readonly Asset[];
  /** Assets that it issues: each costs a fee of its own. */
  readonly issues?: number;
  /** How often it is called, against the others: 1 unless told. */
  readonly weight?: number;
}

export const integer = (value: bigint | number): CallArgument => ({ type: "integer", value: BigInt(value) });
export const boolean = (value: boolean): CallArgument => ({ type: "boolean", value });
export const text = (value: string): CallArgument => ({ type: "string", value });
export const binary = (value: Uint8Array): CallArgument => ({ type: "binary", value });
export const listOf = (value: readonly CallArgument[]): CallArgument => ({ type: "list", value });

/** Keys that the functions keep ids of what they made under. */
export const keptAsset = "made asset";
export const keptLease = "made lease";

/** An asset that the dApp has issued by its script. */
export function madeAsset({ world, dApp }: Pick<CallPlace, "world" | "dApp">): AssetId | undefined {
  const entry = world.view.findData(dApp.address, keptAsset);
  return entry?.type === "binary" ? (entry.value as AssetId) : undefined;
}

/** Mostly a small amount; at times none, less than none, or more than anybody has. */
export function amount({ random }: Pick<CallWorld, "random">): bigint {
  if (random.chance(0.85)) return random.amount(1n, 100_000_000n);
  return random.pick([0n, -1n, 9_223_372_036_854_775_807n, 10n ** 17n]);
}

/** Of an asset that the dApp has, mostly; at times of one that nobody knows, or no id at all. */
export function assetBytes({ world, dApp }: CallPlace): Uint8Array {
  const held = world.assets().filter((asset) => world.view.balance(dApp.address, asset) > 0n);
  if (held.length > 0 && world.random.chance(0.85)) return world.random.pick(held);
  return world.random.pick([
    world.findAsset() ?? new Uint8Array(32),
    world.random.bytes(32),
    new Uint8Array(),
    new Uint8Array(5),
  ]);
}
