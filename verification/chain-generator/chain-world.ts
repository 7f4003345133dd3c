/** Data for the generators of transactions: the accounts, the chain so far, and the clock. */

import { addressOfPublicKeyHash } from "../../src/crypto/address.ts";
import { bytesKey, equalBytes } from "../../src/crypto/bytes.ts";
import { sign } from "../../src/crypto/curve25519.ts";
import type { Address } from "../../src/crypto/identities.ts";
import { Feature, type FeatureId } from "../../src/network/features.ts";
import { RuleError } from "../../src/protocol/errors.ts";
import type { Asset, AssetId } from "../../src/protocol/transactions/asset.ts";
import { buildTransaction } from "../../src/protocol/transactions/build-transaction.ts";
import { FormatError } from "../../src/protocol/transactions/format-error.ts";
import { carriesSignature } from "../../src/protocol/transactions/legacy-form.ts";
import { formatOf } from "../../src/protocol/transactions/table.ts";
import type {
  Alias,
  AuthorizedTransaction,
  LeaseId,
  Recipient,
  Transaction,
  TransactionFields,
  TransactionId,
} from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { depositOf } from "../../src/rules/finality/deposit.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import { minimumFee } from "../../src/rules/transactions/checks/minimum-fee.ts";
import type { EthereumWallet } from "./ethereum-wallet.ts";
import type { GeneratedAccount, GeneratedAccounts } from "./generated-accounts.ts";
import type { GeneratedDApp } from "./ride/dapp-sources.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Fields that a generator chooses; the world sets the others. */
export type DecidedFields<T extends AuthorizedTransaction = AuthorizedTransaction> = T extends AuthorizedTransaction
  ? Omit<TransactionFields<T>, "sender" | "proofs" | "chainId" | "timestamp" | "feeAsset"> & {
      readonly feeAsset?: Asset;
    }
  : never;

export type AuthorizedFields = TransactionFields<AuthorizedTransaction>;

/** An asset and an account with a balance of it. */
export interface Holding {
  readonly asset: Asset;
  readonly holder: GeneratedAccount;
  readonly balance: bigint;
}

const placeholder = new Uint8Array(64);
const minuteMs = 60_000;
/** Attempts to find a suitable account. */
const attempts = 16;

/** Ids and names created on the chain, or by transactions that were refused. */
export interface KnownNames {
  readonly assets: AssetId[];
  readonly leases: LeaseId[];
  readonly aliases: Alias[];
  readonly transactions: TransactionId[];
  /** dApps by script bytes. */
  readonly dApps: Map<string, GeneratedDApp>;
}

export interface ChainWorldOptions {
  readonly view: StateView;
  readonly random: SeededRandom;
  readonly accounts: GeneratedAccounts;
  readonly nowMs: () => number;
  readonly known?: KnownNames;
}

export class ChainWorld {
  readonly view: StateView;
  readonly random: SeededRandom;
  readonly accounts: GeneratedAccounts;
  readonly known: KnownNames;
  readonly #nowMs: () => number;

  constructor(options: ChainWorldOptions) {
    this.view = options.view;
    this.random = options.random;
    this.accounts = options.accounts;
    this.known = options.known ?? { assets: [], leases: [], aliases: [], transactions: [], dApps: new Map() };
    this.#nowMs = options.nowMs;
  }

  get chainId(): number {
    return this.view.settings.chainId;
  }

  isActive(feature: FeatureId): boolean {
    return this.view.isActive(feature, this.view.height + 1);
  }

  /** A timestamp, mostly the current time; sometimes at the limits of the rules. */
  timestamp(): bigint {
    const offsetMs = this.random.boolean(0.9)
      ? -this.random.below(1_000)
      : this.random.between(-100 * minuteMs, 80 * minuteMs);
    return BigInt(this.#nowMs() + offsetMs);
  }

  get nowMs(): bigint {
    return BigInt(this.#nowMs());
  }

  /** Random version that the active features allow. */
  version(type: TransactionType): number {
    const { maxVersion, protobufSince } = formatOf(type);
    const versions: number[] = [];
    for (let version = 1; version <= maxVersion; version++) {
      const isProtobuf = protobufSince !== undefined && version >= protobufSince;
      const needed = isProtobuf ? Feature.BlockV5 : Feature.SmartAccounts;
      if (version === 1 || this.isActive(needed)) versions.push(version);
    }
    return this.random.pick(versions);
  }

  /** The least fee, sometimes more. */
  fee(least: bigint): bigint {
    return this.random.boolean(0.7) ? least : least + this.random.amount(0n, least);
  }

  /** The least fee of one unit in a sponsored asset; undefined when the account has none. */
  sponsoredFee(address: Address): { readonly fee: bigint; readonly feeAsset: AssetId } | undefined {
    const able = this.assets().flatMap((feeAsset) => {
      const fee = this.view.findAsset(feeAsset)?.minSponsoredAssetFee ?? 0n;
      return fee > 0n && this.view.balance(address, feeAsset) > 3n * fee ? [{ fee, feeAsset }] : [];
    });
    return able.length === 0 ? undefined : this.random.pick(able);
  }

  anybody(): GeneratedAccount {
    const { users, generators } = this.accounts;
    return this.random.boolean(0.85) ? this.random.pick(users) : this.random.pick(generators);
  }

  /** An account by its address or alias, or an unknown one. */
  recipient(): Recipient {
    const alias = this.random.boolean(0.25) ? this.ownedAlias() : undefined;
    return alias === undefined ? { kind: "address", address: this.address() } : { kind: "alias", alias };
  }

  address(): Address {
    const kind = this.random.below(10);
    if (kind === 0) return this.#freshAddress();
    return kind <= 2 ? this.wallet().address : this.anybody().address;
  }

  wallet(): EthereumWallet {
    return this.random.pick(this.accounts.wallets);
  }

  /** A random account with a balance of the asset. */
  findHolder(asset: Asset): Holding | undefined {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const holder = this.anybody();
      const balance = this.spendable(holder.address, asset);
      if (balance > 0n) return { asset, holder, balance };
    }
    return undefined;
  }

  /** Spendable balance: for WAVES without leases and deposits, and with some left for fees. */
  spendable(address: Address, asset: Asset): bigint {
    const balance = this.view.balance(address, asset);
    if (asset !== null) return balance;
    const free = balance - this.view.leaseBalance(address).out - depositOf(address, this.view) - 1_000_000_000n;
    return free > 0n ? free : 0n;
  }

  /** Any asset, or WAVES. */
  anyAsset(): Asset {
    return this.random.boolean(0.4) ? null : (this.findAsset() ?? null);
  }

  findAsset(): AssetId | undefined {
    const issued = this.known.assets.filter((asset) => this.view.findAsset(asset) !== undefined);
    return issued.length === 0 ? undefined : this.random.pick(issued);
  }

  assets(): readonly AssetId[] {
    return this.known.assets.filter((asset) => this.view.findAsset(asset) !== undefined);
  }

  isScripted(asset: Asset): boolean {
    return asset !== null && this.view.findAsset(asset)?.script !== undefined;
  }

  activeLease(): LeaseId | undefined {
    const active = this.known.leases.filter((lease) => this.view.findLease(lease)?.status === "active");
    return active.length === 0 ? undefined : this.random.pick(active);
  }

  ownedAlias(): Alias | undefined {
    const owned = this.known.aliases.filter((alias) => this.view.findAliasOwner(alias) !== undefined);
    return owned.length === 0 ? undefined : this.random.pick(owned);
  }

  aliasesOf(address: Address): readonly Alias[] {
    return this.known.aliases.filter((alias) => {
      const owner = this.view.findAliasOwner(alias);
      return owner !== undefined && equalBytes(owner, address);
    });
  }

  /** Id of a transaction on the chain or a refused one; random bytes at the start. */
  someTransactionId(): TransactionId {
    const { transactions } = this.known;
    return transactions.length === 0 ? (this.random.bytes(32) as TransactionId) : this.random.pick(transactions);
  }

  /** The account's current dApp. */
  findDApp(address: Address): GeneratedDApp | undefined {
    const script = this.view.findAccountScript(address)?.script;
    return script && this.known.dApps.get(bytesKey(script));
  }

  /** The account of an address. */
  accountOf(address: Address): GeneratedAccount {
    const { users, generators } = this.accounts;
    const key = bytesKey(address);
    const found = [...users, ...generators].find((account) => bytesKey(account.address) === key);
    if (found === undefined) throw new Error("no key for an account of the chain");
    return found;
  }

  /** Signs the transaction and records the ids that it will create. */
  signed(sender: GeneratedAccount, decided: DecidedFields): Transaction {
    const fields = {
      feeAsset: null,
      ...decided,
      version: this.#versionFor(sender, decided),
      chainId: this.chainId,
      timestamp: this.timestamp(),
      sender: sender.publicKey,
      proofs: [placeholder],
    } as AuthorizedFields;
    const transaction = this.sign(sender, { ...fields, fee: this.#feeWithScripts(fields) });
    this.remember(transaction);
    return transaction;
  }

  /** Records the ids that the transaction will create. */
  remember(transaction: Transaction): void {
    this.known.transactions.push(transaction.id);
    if (transaction.type === TransactionType.Issue) this.known.assets.push(transaction.id as Uint8Array as AssetId);
    if (transaction.type === TransactionType.Lease) this.known.leases.push(transaction.id as Uint8Array as LeaseId);
    if (transaction.type === TransactionType.CreateAlias) this.known.aliases.push(transaction.alias);
  }

  /** Records assets and leases that scripts created. */
  rememberCreated(asset: AssetId | undefined, lease: LeaseId | undefined): void {
    const { assets, leases } = this.known;
    if (asset !== undefined && !assets.some((known) => equalBytes(known, asset))) assets.push(asset);
    if (lease !== undefined && !leases.some((known) => equalBytes(known, lease))) leases.push(lease);
  }

  /** @throws FormatError the fields are invalid in every state */
  protected sign(signer: GeneratedAccount, fields: AuthorizedFields): Transaction {
    const unsigned = buildTransaction(fields);
    return buildTransaction({
      ...fields,
      proofs: [sign(signer.privateKey, unsigned.bodyBytes, this.random.bytes(64))],
    });
  }

  /** Version with proofs for a scripted account, except on rare occasions. */
  #versionFor({ address }: GeneratedAccount, { type, version }: DecidedFields): number {
    const format = formatOf(type);
    const lacksProofs = carriesSignature(format, version) && format.maxVersion > version;
    if (!lacksProofs || this.view.findAccountScript(address) === undefined || this.random.boolean(0.03)) return version;
    return 2;
  }

  /** The fee, raised to the minimum with the scripts of the sender and the assets. */
  #feeWithScripts(fields: AuthorizedFields): bigint {
    try {
      const { required } = minimumFee(buildTransaction(fields), this.view);
      return fields.fee > required ? fields.fee : required;
    } catch (error) {
      if (error instanceof RuleError || error instanceof FormatError) return fields.fee;
      throw error;
    }
  }

  #freshAddress(): Address {
    return addressOfPublicKeyHash(this.random.bytes(20), this.chainId);
  }
}
