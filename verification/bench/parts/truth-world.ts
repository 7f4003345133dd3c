/** The watched node, its history of rollbacks, and the errors found in its responses. */

import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { type NativeAccount, nativeAccount } from "./native-signer.ts";
import { richAccount, signedTransaction, type Unsigned } from "./signed-transaction.ts";
import { ObservedStates, TaggedTexts } from "./truth-checks.ts";
import type { Exchanged } from "./truth-client.ts";

const { chainId, genesis } = privateNetwork.blockchain;
const accountCount = 30;
const waves = 100_000_000n;
const feeWavelets = 100_000n;
const maxPrintedPerKind = 5;

/** Part of one transfer's fee that goes to the next generator. */
export const carriedWavelets = (feeWavelets * 3n) / 5n;
export const initialWavelets = genesis.initialBalance;
export const ownerHeaders = { "X-API-Key": "waves-private-node" } as const;

/** A transaction that the node has accepted. */
export interface Accepted {
  readonly id: string;
  readonly acceptedMs: number;
}

export interface Rollback {
  readonly toHeight: number;
  readonly returnsTransactions: boolean;
  readonly startMs: number;
  /** Time of the response; Infinity until it arrives. */
  endMs: number;
}

export class TruthWorld {
  readonly random: SeededRandom;
  readonly states = new ObservedStates();
  readonly texts = new TaggedTexts();
  readonly accepted: Accepted[] = [];
  readonly rollbacks: Rollback[] = [];
  /** Times at which ChainState was first seen at each height since the last rollback. */
  readonly chainHeights = new Map<number, number>();
  /** Ages of responses: time from learning of a newer height to the request, ms. */
  readonly agesMs: number[] = [];
  readonly #accounts: readonly NativeAccount[];
  readonly #sent = new Map<string, Transaction>();
  readonly #errors = new Map<string, string[]>();
  readonly #checked = new Map<string, number>();
  /** Height of each state, and the time of the first request that showed it. */
  readonly #tags = new Map<string, { readonly height: number; readonly firstSentMs: number }>();
  #lastTimestamp = 0;

  constructor(seed: string) {
    this.random = new SeededRandom(seed);
    this.#accounts = Array.from({ length: accountCount }, (_, number) => nativeAccount(`truth ${number}`, chainId));
  }

  /** All accounts with WAVES. */
  get addresses(): readonly string[] {
    return [richAccount, ...this.#accounts].map(({ address }) => addressText(address));
  }

  readonly findSent = (id: string): Transaction | undefined => this.#sent.get(id);

  /** Funds all accounts. */
  funding(): readonly string[] {
    return this.#accounts.map((account) => this.#transfer(richAccount, account, 1_000n * waves));
  }

  /** The next transfer, as JSON. */
  nextTransfer(): string {
    const sender = this.random.pick(this.#accounts);
    return this.#transfer(
      sender,
      this.random.pick([richAccount, ...this.#accounts]),
      BigInt(this.random.between(1, 1_000)),
    );
  }

  #transfer(sender: NativeAccount, recipient: NativeAccount, amount: bigint): string {
    this.#lastTimestamp = Math.max(this.#lastTimestamp + 1, Date.now());
    const fields: Unsigned = {
      type: TransactionType.Transfer,
      version: 3,
      recipient: { kind: "address", address: recipient.address },
      asset: null,
      amount,
      attachment: new Uint8Array(),
      fee: feeWavelets,
    };
    const transaction = signedTransaction(sender, fields, this.#lastTimestamp);
    this.#sent.set(encodeBase58(transaction.id), transaction);
    return jsonText(transactionJson(transaction));
  }

  /** Counts a check, and stores its errors. */
  found(kind: string, errors: readonly string[]): void {
    this.#checked.set(kind, (this.#checked.get(kind) ?? 0) + 1);
    if (errors.length > 0) this.#errors.set(kind, [...(this.#errors.get(kind) ?? []), ...errors]);
  }

  /** True if a rollback was requested or running within this time. */
  isRolledBack(fromMs: number, toMs: number): boolean {
    return this.rollbacks.some(({ startMs, endMs }) => startMs <= toMs && endMs >= fromMs);
  }

  /** Checks that a response showing the tip is not older than allowed. */
  seeTipHeight(height: number, { sentMs, receivedMs }: Exchanged, maxAgeMs: number): void {
    const newerMs = this.chainHeights.get(height + 1) ?? sentMs;
    if (this.isRolledBack(newerMs, receivedMs)) return;
    const ageMs = Math.max(sentMs - newerMs, 0);
    this.agesMs.push(ageMs);
    const message = `height ${height} was shown ${ageMs.toFixed(0)} ms after ${height + 1} was known`;
    this.found("age", ageMs > maxAgeMs ? [message] : []);
  }

  /** Checks that after the response to a rollback, no response shows an earlier state. */
  seeTag(tag: string, height: number, { sentMs, path }: Exchanged): void {
    const known = this.#tags.get(tag);
    this.#tags.set(tag, { height, firstSentMs: Math.min(sentMs, known?.firstSentMs ?? sentMs) });
    if (known === undefined) return;
    const undone = this.rollbacks.find(
      ({ toHeight, startMs, endMs }) => known.firstSentMs < startMs && sentMs > endMs && known.height > toHeight,
    );
    const message = `${path.slice(0, 40)} shows state ${tag} of height ${height} after the rollback to ${undone?.toHeight}`;
    this.found("after a rollback", undone === undefined ? [] : [message]);
  }

  /** Table rows with each check, its count and its failures; then the errors. */
  report(): { readonly rows: string[][]; readonly errors: readonly string[] } {
    const kinds = [...this.#checked.keys()].sort();
    const rows = kinds.map((kind) => [
      kind,
      String(this.#checked.get(kind)),
      String(this.#errors.get(kind)?.length ?? 0),
    ]);
    const errors = kinds.flatMap((kind) =>
      (this.#errors.get(kind) ?? []).slice(0, maxPrintedPerKind).map((error) => `${kind}: ${error}`),
    );
    return { rows, errors };
  }
}
