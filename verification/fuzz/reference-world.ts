/** A world on a running reference node of the private network, which gets the accounts and returns their data. */

import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { sign } from "../../src/crypto/curve25519.ts";
import type { Address, KeyPair } from "../../src/crypto/identities.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../src/crypto/seed.ts";
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { utf8Bytes } from "../../src/protocol/codec/utf8.ts";
import { jsonText } from "../../src/protocol/json.ts";
import { isJsonObject, type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";
import { buildTransaction } from "../../src/protocol/transactions/build-transaction.ts";
import type { DataValue, Script } from "../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { ScriptDataValue } from "../../src/ride/evaluator/environment.ts";
import type { AuthorizedFields, DecidedFields } from "../chain-generator/chain-world.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import { accountData } from "./fuzz-world.ts";

export interface ReferenceAccount extends KeyPair {
  readonly address: Address;
}

const chainId = "R".charCodeAt(0);
const fees = { massTransfer: 10_000_000n, setScript: 100_000_000n, data: 1_000_000n };
const startBalance = 1_000_000_000n;
const waitTimeoutMs = 60_000;
const pollMs = 500;

export class ReferenceNode {
  readonly #url: string;
  readonly #random: SeededRandom;
  /** Accepted transactions that may not be in a block yet. */
  #pending: string[] = [];

  constructor(url: string, random: SeededRandom) {
    this.#url = url.replace(/\/$/, "");
    this.#random = random;
  }

  accounts(seed: string, count: number): readonly ReferenceAccount[] {
    return Array.from({ length: count }, (_, nonce) => account(accountSeed(utf8Bytes(seed), nonce)));
  }

  /** Gives the accounts WAVES and data entries. */
  async equip(
    accounts: readonly ReferenceAccount[],
    data: ReadonlyMap<string, ScriptDataValue> = accountData,
  ): Promise<void> {
    const master = account(accountSeed(privateNetworkSecrets.walletSeed, 0));
    for (let from = 0; from < accounts.length; from += 100) {
      const transfers = accounts
        .slice(from, from + 100)
        .map(({ address }) => ({ recipient: { kind: "address" as const, address }, amount: startBalance }));
      await this.#send(master, {
        type: TransactionType.MassTransfer,
        version: 2,
        fee: fees.massTransfer,
        asset: null,
        transfers,
        attachment: new Uint8Array(),
      });
    }
    await this.#settle();
    if (data.size === 0) return;
    const entries = [...data].map(([key, value]) => ({ key, value: dataValue(value) }));
    for (const sender of accounts)
      await this.#send(sender, { type: TransactionType.Data, version: 2, fee: fees.data, data: entries });
    await this.#settle();
  }

  /**
   * @returns accounts whose script was refused: a chain refuses versions before or after their features, and trees too
   * deep for its stack
   */
  async setScripts(
    scripts: readonly { readonly account: ReferenceAccount; readonly script: Uint8Array }[],
  ): Promise<ReadonlySet<ReferenceAccount>> {
    const refused = new Set<ReferenceAccount>();
    for (const { account: sender, script } of scripts) {
      const decided = {
        type: TransactionType.SetScript,
        version: 2,
        fee: fees.setScript,
        script: script as Script,
      } as const;
      const { status, text } = await this.#broadcast(sender, decided);
      if (status !== 200 && status !== 500 && !/ActivationError/.test(text)) throw refusal(text);
      if (status !== 200) refused.add(sender);
    }
    await this.#settle();
    return refused;
  }

  async balance(address: Uint8Array) {
    const details = await this.#get(`/addresses/balance/details/${encodeBase58(address)}`);
    const { available, regular, generating, effective } = details as Record<string, bigint>;
    return { available, regular, generating, effective } as Record<
      "available" | "regular" | "generating" | "effective",
      bigint
    >;
  }

  async data(address: Uint8Array): Promise<ReadonlyMap<string, ScriptDataValue>> {
    const entries = (await this.#get(`/addresses/data/${encodeBase58(address)}`)) as unknown as readonly ParsedObject[];
    return new Map(
      entries.map(({ key, type, value }) => [
        String(key),
        type === "binary" ? binary(String(value)) : (value as ScriptDataValue),
      ]),
    );
  }

  /** The node's response to `/utils/script/evaluate`. */
  async evaluate(address: Uint8Array, body: string, { hasTrace = true } = {}): Promise<string> {
    const response = await fetch(`${this.#url}/utils/script/evaluate/${encodeBase58(address)}?trace=${hasTrace}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    return await response.text();
  }

  async #send(sender: ReferenceAccount, decided: DecidedFields): Promise<void> {
    const { status, text } = await this.#broadcast(sender, decided);
    if (status !== 200) throw refusal(text);
  }

  async #broadcast(sender: ReferenceAccount, decided: DecidedFields): Promise<{ status: number; text: string }> {
    const fields = {
      feeAsset: null,
      ...decided,
      chainId,
      timestamp: BigInt(Date.now()),
      sender: sender.publicKey,
      proofs: [new Uint8Array(64)],
    } as AuthorizedFields;
    const { bodyBytes } = buildTransaction(fields);
    const proofs = [sign(sender.privateKey, bodyBytes, this.#random.bytes(64))];
    const transaction = buildTransaction({ ...fields, proofs });
    const body = jsonText(transactionJson(transaction));
    const response = await fetch(`${this.#url}/transactions/broadcast`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    if (response.status === 200) this.#pending.push(encodeBase58(transaction.id));
    return { status: response.status, text: await response.text() };
  }

  async #get(path: string): Promise<ParsedObject> {
    return objectOf(await (await fetch(this.#url + path)).text());
  }

  /** Waits until all sent transactions are in blocks. */
  async #settle(): Promise<void> {
    await this.#until(async () => {
      const ids = this.#pending.slice(0, 100);
      if (ids.length === 0) return true;
      const response = await fetch(`${this.#url}/transactions/status`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ ids }),
      });
      const statuses = (await response.json()) as readonly { readonly id: string; readonly status: string }[];
      const settled = new Set(statuses.filter(({ status }) => status === "confirmed").map(({ id }) => id));
      this.#pending = this.#pending.filter((id) => !settled.has(id));
      return this.#pending.length === 0;
    });
  }

  async #until(isSo: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + waitTimeoutMs; Date.now() < end; ) {
      if (await isSo()) return;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    throw new Error("the reference did not take the transactions in time");
  }
}

function account(seed: Uint8Array): ReferenceAccount {
  const keyPair = keyPairOfAccountSeed(seed);
  return { ...keyPair, address: addressOfPublicKey(keyPair.publicKey, chainId) };
}

function objectOf(text: string): ParsedObject {
  const parsed = parseJson(text);
  if (!isJsonObject(parsed) && !Array.isArray(parsed)) throw new Error(`not an object: ${text.slice(0, 200)}`);
  return parsed as ParsedObject;
}

function binary(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64.replace(/^base64:/, ""), "base64"));
}

function dataValue(value: ScriptDataValue): DataValue {
  if (typeof value === "bigint") return { type: "integer", value };
  if (typeof value === "boolean") return { type: "boolean", value };
  return typeof value === "string" ? { type: "string", value } : { type: "binary", value };
}

function refusal(text: string): Error {
  return new Error(`the reference refused a transaction: ${text.slice(0, 500)}`);
}
