/**
 * State for scripts.
 * @source Waves: transaction/smart/WavesEnvironment.scala
 */

import { addressOfPublicKey } from "../../../crypto/address.ts";
import { addressErrorText } from "../../../crypto/address-error-text.ts";
import { encodeBase58 } from "../../../crypto/base58.ts";
import { compareBytes, concatBytes } from "../../../crypto/bytes.ts";
import { blake2b256 } from "../../../crypto/hash.ts";
import type { Address } from "../../../crypto/identities.ts";
import { Feature } from "../../../network/features.ts";
import type { SignedHeader } from "../../../protocol/blocks/block.ts";
import { BlockVersion } from "../../../protocol/blocks/block-version.ts";
import { utf8TextWithReplacements } from "../../../protocol/codec/utf8.ts";
import { aliasText, findAliasError } from "../../../protocol/transactions/alias.ts";
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import type { Alias, Transaction, TransactionId } from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import type {
  Environment,
  ScriptAssetInfo,
  ScriptBalance,
  ScriptBlockInfo,
  ScriptDataValue,
} from "../../../ride/evaluator/environment.ts";
import type { ScriptWork } from "../../../ride/evaluator/script-work.ts";
import { ExecutionError, NativeFailure } from "../../../ride/execution-error.ts";
import { assetObject } from "../../../ride/objects/chain-objects.ts";
import type { ScriptRecipient } from "../../../ride/objects/recipients.ts";
import { addressObject } from "../../../ride/objects/recipients.ts";
import { type ScriptTransfer, transferOf } from "../../../ride/objects/transfer.ts";
import type { Value } from "../../../ride/values/value.ts";
import { bytesText } from "../../../ride/values/value-text.ts";
import { blockDelayMs } from "../../consensus/block-delay.ts";
import { generatingBalanceNow } from "../../consensus/generating-balance-now.ts";
import { sortedRewardShares } from "../../consensus/reward-shares.ts";
import { depositOf } from "../../finality/deposit.ts";
import { assertHistory } from "../../state/history-missing.ts";
import type { StateView } from "../../state/state-view.ts";
import { isAliasDisabled } from "../checks/recipients.ts";
import { ethereumTransferOf } from "./ethereum-transfer.ts";
import { addressInMessage, knownAddress } from "./known-address.ts";

/** Account or asset that the script guards or belongs to: `this`. */
export type ScriptOwner =
  | { readonly kind: "account"; readonly address: Address }
  | { readonly kind: "asset"; readonly assetId: AssetId };

export interface StateEnvironmentOptions {
  /** State at the start of the script. Aliases, transactions, scripts and blocks are read from here. */
  readonly view: StateView;
  /** State with the changes of nested calls so far: data, balances and assets are read from here. Default: `view`. */
  readonly currentView?: () => StateView;
  readonly owner: ScriptOwner;
  readonly transactionId: () => Uint8Array;
  /** `tx`. Omitted for scripts without one. */
  readonly input?: () => Value;
  /** Version of the script, which decides the fields of objects. */
  readonly libraryVersion: number;
}

/** Sizes of ids: a digest, or the signature of an old payment. */
const idSizesBytes: readonly number[] = [32, 64];

/** Name of the script in error messages, which only verifiers need. */
export function scriptTextOf(owner: ScriptOwner): string {
  return owner.kind === "asset" ? `Attached asset script id=${bytesText(owner.assetId)}` : "Invoker script";
}

const noRewards: ScriptBlockInfo["rewards"] = [];

export class StateEnvironment implements Environment {
  readonly #view: StateView;
  readonly #currentView: () => StateView;
  readonly #owner: ScriptOwner;
  readonly #transactionId: () => Uint8Array;
  readonly #input: (() => Value) | undefined;
  readonly #libraryVersion: number;
  #inputValue: Value | undefined;

  constructor({ view, currentView, owner, transactionId, input, libraryVersion }: StateEnvironmentOptions) {
    this.#view = view;
    this.#currentView = currentView ?? (() => view);
    this.#owner = owner;
    this.#transactionId = transactionId;
    this.#input = input;
    this.#libraryVersion = libraryVersion;
  }

  get mayRefuseWork(): boolean {
    return this.#view.mayRefuseWork;
  }

  get workMeter(): ScriptWork | undefined {
    return this.#view.workMeter;
  }

  get chainId(): number {
    return this.#view.settings.chainId;
  }

  height(): number {
    return this.#view.height;
  }

  transactionId(): Uint8Array {
    return this.#transactionId();
  }

  input(): Value {
    if (this.#input === undefined) throw new ExecutionError("Expected Transaction or Order");
    this.#inputValue ??= this.#input();
    return this.#inputValue;
  }

  scriptText(): string {
    return scriptTextOf(this.#owner);
  }

  self(): Value {
    if (this.#owner.kind === "account") return addressObject(this.#owner.address);
    const asset = this.findAsset(this.#owner.assetId);
    if (asset === undefined) throw new NativeFailure("java.util.NoSuchElementException", "None.get");
    return assetObject(asset, this.#libraryVersion);
  }

  selfAddress(): Uint8Array | undefined {
    return this.#owner.kind === "account" ? this.#owner.address : undefined;
  }

  delayMs(generator: Uint8Array, balance: bigint): bigint {
    const { height } = this.#view;
    const tip = this.#view.findHeader(height);
    const source = this.#vrf(tip, height) ?? tip?.header.generationSignature ?? new Uint8Array(0);
    const digest = blake2b256(concatBytes(source, generator));
    const hit = new DataView(digest.buffer, digest.byteOffset).getBigUint64(0);
    const algorithm = { kind: "fairPos", minBlockTimeMs: 0, delayDelta: 0 } as const;
    return blockDelayMs(algorithm, { hit, baseTarget: tip?.header.baseTarget ?? 0n, generatingBalance: balance });
  }

  lastBlock(): ScriptBlockInfo {
    const block = this.findBlock(this.#view.height);
    if (block === undefined) throw new NativeFailure("java.util.NoSuchElementException", "None.get");
    return block;
  }

  findBlock(height: number): ScriptBlockInfo | undefined {
    const view = this.#view;
    const signed = view.findHeader(height);
    if (signed === undefined) {
      if (height >= 1 && height < view.height) assertHistory(view, `block ${height}`);
      return undefined;
    }
    const { timestamp, baseTarget, generationSignature, generator } = signed.header;
    const generatorAddress = addressOfPublicKey(generator, this.chainId);
    return {
      timestampMs: timestamp,
      height,
      baseTarget,
      generationSignature,
      generator: generatorAddress,
      generatorPublicKey: generator,
      vrf: view.has(Feature.BlockV5) ? this.#vrf(signed, height) : undefined,
      rewards: view.has(Feature.BlockRewardDistribution) ? this.#rewards(generatorAddress, height) : noRewards,
    };
  }

  #vrf(signed: SignedHeader | undefined, height: number): Uint8Array | undefined {
    const hasVrf = signed !== undefined && signed.header.version >= BlockVersion.Protobuf;
    return hasVrf ? this.#view.findHitSource(height) : undefined;
  }

  #rewards(generator: Address, height: number): ScriptBlockInfo["rewards"] {
    const view = this.#view;
    const { functionality } = view.settings;
    const reward = view.blockReward(height);
    if (view.has(Feature.CappedReward)) {
      return sortedRewardShares({ height, reward: reward ?? 0n, features: view, functionality, generator });
    }
    if (reward === undefined) return noRewards;
    // Until feature 20 scripts see thirds, whatever the payout at that height.
    const { daoAddress, xtnBuybackAddress } = functionality;
    const others = [daoAddress, xtnBuybackAddress].filter((address) => address !== undefined);
    const amount = reward / 3n;
    const shares = others.map((address) => ({ address, amount }));
    shares.push({ address: generator, amount: reward - amount * BigInt(others.length) });
    return shares.sort((left, right) => compareBytes(left.address, right.address));
  }

  findData(recipient: ScriptRecipient, key: string): ScriptDataValue | undefined {
    const address = this.#findAddress(recipient);
    return address && this.#currentView().findData(address, key)?.value;
  }

  hasData(recipient: ScriptRecipient): boolean {
    const address = this.#findAddress(recipient);
    return address !== undefined && this.#currentView().hasData(address);
  }

  resolveAlias(name: string): Uint8Array {
    const error = findAliasError(name);
    if (error !== undefined) throw new NativeFailure("java.lang.RuntimeException", `GenericError(${error})`);
    return this.#ownerOf({ chainId: this.chainId, name });
  }

  balance(recipient: ScriptRecipient, assetId: Uint8Array | undefined): bigint {
    const address = recipient.kind === "alias" ? this.#addressOfAlias(recipient.alias) : this.#account(recipient.bytes);
    return this.#currentView().balance(address, (assetId as AssetId | undefined) ?? null);
  }

  wavesBalance(recipient: ScriptRecipient): ScriptBalance {
    const address =
      recipient.kind === "alias" ? this.#addressOfAlias(recipient.alias) : this.#address(recipient.bytes, false);
    const current = this.#currentView();
    const regular = current.balance(address, null);
    const lease = current.leaseBalance(address);
    const hasCurrentBalances = this.#view.has(Feature.LightNode);
    const available = regular - lease.out - depositOf(address, current);
    return {
      available,
      regular,
      generating: generatingBalanceNow(hasCurrentBalances ? current : this.#view, address),
      effective: current.isChallenged(address, current.height, current.height) ? 0n : available + lease.in,
    };
  }

  findAsset(id: Uint8Array): ScriptAssetInfo | undefined {
    const asset = this.#currentView().findAsset(id as AssetId);
    if (asset === undefined) return undefined;
    const { issuer, decimals, reissuable, minSponsoredAssetFee } = asset;
    return {
      id,
      quantity: BigInt.asIntN(64, asset.volume),
      decimals,
      issuer: addressOfPublicKey(issuer, this.chainId),
      issuerPublicKey: issuer,
      isReissuable: reissuable,
      isScripted: asset.script !== undefined,
      minSponsoredFee: minSponsoredAssetFee === 0n ? undefined : minSponsoredAssetFee,
      name: utf8TextWithReplacements(asset.name),
      description: utf8TextWithReplacements(asset.description),
    };
  }

  findTransactionHeight(id: Uint8Array): number | undefined {
    const found = this.#view.findTransaction(id as TransactionId);
    if (found === undefined && idSizesBytes.includes(id.length))
      assertHistory(this.#view, `transaction ${encodeBase58(id)}`);
    return found?.status === "succeeded" ? found.height : undefined;
  }

  findTransaction(id: Uint8Array): Transaction | undefined {
    const found = this.#findSucceeded(id);
    return found?.type === TransactionType.Ethereum ? undefined : found;
  }

  findTransfer(id: Uint8Array): ScriptTransfer | undefined {
    const found = this.#findSucceeded(id);
    if (found?.type === TransactionType.Transfer) return transferOf(found);
    if (found?.type !== TransactionType.Ethereum) return undefined;
    // Transfers of Ethereum wallets are found once their block is stored.
    const isStored = this.#view.isStored(this.findTransactionHeight(id) ?? 0);
    return isStored ? ethereumTransferOf(found, this.#view) : undefined;
  }

  #findSucceeded(id: Uint8Array): Transaction | undefined {
    const height = this.findTransactionHeight(id);
    return height === undefined ? undefined : this.#view.findTransactionBody(id as TransactionId);
  }

  findScript(recipient: ScriptRecipient): Uint8Array | undefined {
    const address = this.#findAddress(recipient);
    return address && this.#view.findAccountScript(address)?.script;
  }

  /** Account of the recipient; undefined for an invalid one. */
  #findAddress(recipient: ScriptRecipient): Address | undefined {
    if (recipient.kind === "address") {
      // No account of another chain has data or scripts here, but this caller may be the first with the address.
      const address = knownAddress(recipient.bytes, this.#view, { takesAny: false, matters: false });
      return address instanceof Uint8Array ? address : undefined;
    }
    const { alias: name } = recipient;
    const alias = { chainId: this.chainId, name };
    if (findAliasError(name) !== undefined || isAliasDisabled(alias, this.#view)) return undefined;
    return this.#view.findAliasOwner(alias);
  }

  #addressOfAlias(name: string): Address {
    const error = findAliasError(name);
    if (error !== undefined) throw new ExecutionError(`GenericError(${error})`);
    return this.#ownerOf({ chainId: this.chainId, name });
  }

  #ownerOf(alias: Alias): Address {
    if (isAliasDisabled(alias, this.#view)) throw new ExecutionError(`AliasIsDisabled(${aliasText(alias)})`);
    const owner = alias.chainId === this.chainId ? this.#view.findAliasOwner(alias) : undefined;
    if (owner === undefined) throw new ExecutionError(`Alias '${aliasText(alias)}' does not exist.`);
    return owner;
  }

  findAddress(bytes: Uint8Array): Uint8Array | undefined {
    const address = knownAddress(bytes, this.#view, { takesAny: false, matters: true });
    return address instanceof Uint8Array ? address : undefined;
  }

  addressInMessage(bytes: Uint8Array, messageChainId: number): Address | undefined {
    return addressInMessage(bytes, messageChainId, this.#currentView());
  }

  /** @param takesAny whether any chain is accepted */
  #address(bytes: Uint8Array, takesAny: boolean): Address {
    const address = knownAddress(bytes, this.#view, { takesAny, matters: true });
    if (address instanceof Uint8Array) return address;
    throw new ExecutionError(`InvalidAddress(${addressErrorText(address)})`);
  }

  /** Account of an address or alias in bytes, of any chain. */
  #account(bytes: Uint8Array): Address {
    const [kind] = bytes;
    if (kind === addressKind) return this.#address(bytes, true);
    if (kind !== aliasKind) {
      const message = `Not a valid recipient: ${bytesText(bytes)}`;
      throw new NativeFailure("java.lang.IllegalArgumentException", message);
    }
    const [, chainId] = bytes;
    if (chainId === undefined || bytes.length < aliasNameOffset)
      throw new ExecutionError("GenericError(Bad alias bytes)");
    const name = utf8TextWithReplacements(bytes.subarray(aliasNameOffset));
    const error = findAliasError(name);
    if (error !== undefined) throw new ExecutionError(`GenericError(${error})`);
    return this.#ownerOf({ chainId, name });
  }
}

const addressKind = 1;
const aliasKind = 2;
/** Kind, chain and two bytes of length. */
const aliasNameOffset = 4;
