/**
 * State of a fork: the tables, and below them the live node. A read of state that was not fetched yet throws its key,
 * and the caller fetches the state and reads again; state is never taken for absent before it was requested.
 */
import { addressText } from "../../../src/crypto/address.ts";
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import { bytesKey } from "../../../src/crypto/bytes.ts";
import { decodeHex } from "../../../src/crypto/hex.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import {
  accountStateKey,
  aliasStateKey,
  balanceStateKey,
  entryStateKey,
  headerStateKey,
  idStateKey,
  type RemoteStateKey,
  remoteStateKeyName,
  unsupportedStateKey,
} from "../../../src/network/remote-state-key.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { LeaseBalance } from "../../../src/protocol/snapshots/snapshot.ts";
import type { Asset, AssetId } from "../../../src/protocol/transactions/asset.ts";
import type {
  Alias,
  DataValue,
  LeaseId,
  Transaction,
  TransactionId,
  TransactionStatus,
} from "../../../src/protocol/transactions/transaction.ts";
import type { AuthorizationExemption } from "../../../src/rules/state/authorization-exemption.ts";
import type { StateChanges } from "../../../src/rules/state/overlay-view.ts";
import { RemoteStateMissing } from "../../../src/rules/state/remote-state-missing.ts";
import type {
  AccountScript,
  AssetDescription,
  BalanceAtHeight,
  LeaseDetails,
} from "../../../src/rules/state/state-view.ts";
import { accountScriptTable } from "../../../src/tables/account-scripts.ts";
import { accountTable, assetBalanceTable } from "../../../src/tables/accounts.ts";
import type { BlockRow } from "../../../src/tables/blocks.ts";
import { TableView } from "../../../src/tables/view/table-view.ts";
import type { StateStore } from "../state/state-store.ts";
import type { KnownRemoteState } from "./known-remote-state.ts";
import type { OwnChain } from "./remote-state-value.ts";

/** Maximum of dApps, one of which is enough. */
const SOME_DAPPS = 5;

export interface ForkViewOptions {
  readonly store: StateStore;
  readonly settings: BlockchainSettings;
  readonly known: KnownRemoteState;
  /** Height of the last block that both chains have. */
  readonly forkHeight: number;
  /** See `TableView`. */
  readonly exemption: AuthorizationExemption | undefined;
}

const wasRead = (): void => {};

export class ForkView extends TableView {
  readonly #options: ForkViewOptions;
  /** Missing keys while they are collected; undefined: the first one is thrown. */
  #gathered: Map<string, RemoteStateKey> | undefined;

  constructor(options: ForkViewOptions) {
    super(options.store, options.settings, options.exemption);
    this.#options = options;
  }

  /**
   * Unknown keys that a query needs: all in one run, in which missing state is taken for absent. The query's result or
   * error is meaningless then; if nothing is missing, another run gives the real one.
   */
  missingFor(query: () => unknown): readonly RemoteStateKey[] {
    const outer = this.#gathered;
    const missing = new Map<string, RemoteStateKey>();
    this.#gathered = missing;
    try {
      query();
    } catch (error) {
      if (error instanceof RemoteStateMissing) for (const key of error.keys) missing.set(remoteStateKeyName(key), key);
    } finally {
      this.#gathered = outer;
    }
    return [...missing.values()];
  }

  /** Whether the state of a key is known: its rows are in the tables, or it is absent. */
  isKnown(key: RemoteStateKey): boolean {
    const { known } = this.#options;
    if (known.has(remoteStateKeyName(key))) return true;
    return key.kind === "entry" && known.has(remoteStateKeyName({ kind: "entries", of: key.of }));
  }

  /** Lookups in the tables alone. */
  readonly own: OwnChain = {
    heightOf: (blockId) => this.findHeightOf(decodeBase58(blockId) as Uint8Array as BlockId),
    transactionHeight: (id) => super.findTransaction(decodeBase58(id) as Uint8Array as TransactionId)?.height,
    issueHeight: (assetId) => super.findAsset(decodeBase58(assetId) as Uint8Array as AssetId)?.issueHeight,
    dApps: () =>
      this.#options.store
        .query(accountScriptTable, `WHERE height = ? LIMIT ${SOME_DAPPS}`, this.#options.forkHeight)
        .map(({ address }) => addressText(address)),
    hasToken: (token) => super.findAssetByErc20Address(decodeHex(token)) !== undefined,
    tipHeight: () => this.height,
  };

  #need(key: RemoteStateKey): void {
    if (this.isKnown(key)) return;
    if (this.#gathered === undefined) throw new RemoteStateMissing([key]);
    this.#gathered.set(remoteStateKeyName(key), key);
  }

  override refresh(): void {
    super.refresh();
    this.#options.known.forget();
  }

  /** A row written over one that was never read would make a rollback lose the former one. */
  override assertKnown(changes: StateChanges): void {
    const missing = this.missingFor(() => {
      for (const readUnder of Object.values(this.#readsUnder)) readUnder(changes);
    });
    if (missing.length > 0) throw new RemoteStateMissing(missing);
  }

  /** Reads the rows that each kind of change replaces, for those not read to make the change. */
  readonly #readsUnder: { readonly [Kind in keyof StateChanges]: (changes: StateChanges) => void } = {
    balances: ({ balances }) => {
      for (const { address } of balances.values()) this.leaseBalance(address);
    },
    leaseBalances: ({ leaseBalances }) => {
      for (const { address } of leaseBalances.values()) this.leaseBalance(address);
    },
    assetBalances: (changes) => {
      for (const { address, asset } of changes.assetBalances.values())
        if (!this.#isIssuedIn(changes, asset)) this.balance(address, asset);
    },
    assets: wasRead,
    leases: wasRead,
    aliases: wasRead,
    orderFills: wasRead,
    accountScripts: ({ accountScripts }) => {
      for (const { address } of accountScripts.values()) this.findAccountScript(address);
    },
    data: ({ data }) => {
      for (const { address, key } of data.values()) this.findStoredData(address, key);
    },
    dataOwners: ({ dataOwners }) => {
      for (const address of dataOwners.values()) this.hasStoredData(address);
    },
    commitments: wasRead,
    endorserKeys: wasRead,
    transactions: wasRead,
  };

  #isIssuedIn(changes: StateChanges, asset: AssetId): boolean {
    const description = changes.assets.get(bytesKey(asset));
    return description !== undefined && description.issueHeight > this.#options.forkHeight;
  }

  #isLocalAsset(asset: AssetId): boolean {
    const description = super.findAsset(asset);
    return description !== undefined && description.issueHeight > this.#options.forkHeight;
  }

  override balance(address: Address, asset: Asset): bigint {
    if (asset === null) {
      this.#needAccount(address);
    } else if (
      this.#options.store.find(assetBalanceTable, { address, asset }) === undefined &&
      !this.#isLocalAsset(asset)
    ) {
      this.#need(balanceStateKey(address, asset));
    }
    return super.balance(address, asset);
  }

  override leaseBalance(address: Address): LeaseBalance {
    this.#needAccount(address);
    return super.leaseBalance(address);
  }

  override balanceHistory(address: Address, from: number, to: number): readonly BalanceAtHeight[] {
    this.#needAccount(address);
    return super.balanceHistory(address, from, to);
  }

  override minimumEffectiveBalance(address: Address, from: number, to: number): bigint {
    this.#needAccount(address);
    return super.minimumEffectiveBalance(address, from, to);
  }

  #needAccount(address: Address): void {
    if (this.#options.store.find(accountTable, { address }) === undefined)
      this.#need(accountStateKey("account", address));
  }

  override findAsset(assetId: AssetId): AssetDescription | undefined {
    const found = super.findAsset(assetId);
    if (found === undefined) this.#need(idStateKey("asset", assetId));
    return found;
  }

  override findAssetByErc20Address(address: Uint8Array): AssetDescription | undefined {
    const found = super.findAssetByErc20Address(address);
    if (found === undefined)
      this.#need(
        unsupportedStateKey(
          "a fork finds an asset by its Ethereum address only after a request by its id: GET /assets/details/{id}",
        ),
      );
    return found;
  }

  override findAliasOwner(alias: Alias): Address | undefined {
    const owner = super.findAliasOwner(alias);
    if (owner === undefined) this.#need(aliasStateKey(alias.name));
    return owner;
  }

  override findLease(leaseId: LeaseId): LeaseDetails | undefined {
    const found = super.findLease(leaseId);
    if (found === undefined) this.#need(idStateKey("lease", leaseId));
    return found;
  }

  override findAccountScript(address: Address): AccountScript | undefined {
    const found = super.findAccountScript(address);
    if (found === undefined) this.#need(accountStateKey("script", address));
    return found;
  }

  override findStoredData(address: Address, key: string): DataValue | undefined {
    const found = super.findStoredData(address, key);
    if (found === undefined) this.#need(entryStateKey(address, key));
    return found;
  }

  override hasStoredData(address: Address): boolean {
    const found = super.hasStoredData(address);
    if (!found) this.#need(accountStateKey("dataOwner", address));
    return found;
  }

  override findTransactionBody(id: TransactionId): Transaction | undefined {
    const found = super.findTransactionBody(id);
    if (found === undefined) this.#need(idStateKey("transaction", id));
    return found;
  }

  override findTransaction(
    id: TransactionId,
  ): { readonly height: number; readonly status: TransactionStatus } | undefined {
    const found = super.findTransaction(id);
    if (found === undefined) this.#need(idStateKey("transaction", id));
    return found;
  }

  /** No height is too old: missing state can be fetched. */
  override get historyFrom(): number {
    return 1;
  }

  override findBlockRow(height: number): BlockRow | undefined {
    const found = super.findBlockRow(height);
    if (found === undefined && height >= 1 && height < this.#options.forkHeight) this.#need(headerStateKey(height));
    return found;
  }

  /** The fork is not bound by the live network's finalized blocks. */
  override storedFinalizedHeight(height: number): number {
    return height <= this.#options.forkHeight ? 1 : super.storedFinalizedHeight(height);
  }

  /** Blocks of the live network have voted for its reward, not for the fork's. */
  override rewardVote(height: number): bigint {
    return height <= this.#options.forkHeight ? -1n : super.rewardVote(height);
  }
}
