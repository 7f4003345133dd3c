/** The attacked node from its clients' view: a node of the private network, whose rich account the attack may use. */
import { setTimeout as wait } from "node:timers/promises";
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { sign } from "../../src/crypto/curve25519.ts";
import type { Address, KeyPair } from "../../src/crypto/identities.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../src/crypto/seed.ts";
import { privateNetwork, privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { jsonText } from "../../src/protocol/json.ts";
import { buildTransaction } from "../../src/protocol/transactions/build-transaction.ts";
import type {
  AuthorizedTransaction,
  Transaction,
  TransactionFields,
} from "../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../src/protocol/transactions/transaction-json.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";

const LOOK_MS = 500;
const WAIT_TIMEOUT_MS = 120_000;
export const { chainId } = privateNetwork.blockchain;

export interface PostResult {
  readonly status: number;
  readonly text: string;
}

export interface PostOptions {
  readonly isOwner?: boolean;
  readonly signal?: AbortSignal;
}

export interface AttackedNodeOptions extends Pick<AttackedNode, "url" | "peerPort" | "pid" | "folder" | "output"> {
  readonly random: SeededRandom;
}

export class AttackedNode {
  readonly url: string;
  /** P2P port, on loopback. */
  readonly peerPort: number;
  /** Key pair of the account that owns all WAVES at the start. */
  readonly rich = keyPairOfAccountSeed(accountSeed(privateNetworkSecrets.walletSeed, 0));
  readonly #random: SeededRandom;

  /** Process id of the runner; the runtime is its child process. */
  readonly pid: number;
  /** Folder for files of the attack. */
  readonly folder: string;
  /** Terminal output of the node so far. */
  readonly output: () => string;

  constructor({ url, peerPort, pid, folder, output, random }: AttackedNodeOptions) {
    this.url = url;
    this.peerPort = peerPort;
    this.pid = pid;
    this.folder = folder;
    this.output = output;
    this.#random = random;
  }

  /** Port of the REST interface. */
  get port(): number {
    return Number(new URL(this.url).port);
  }

  newKey(): KeyPair {
    return keyPairOfAccountSeed(this.#random.bytes(32));
  }

  addressOf({ publicKey }: KeyPair): Address {
    return addressOfPublicKey(publicKey, chainId);
  }

  /** The transaction signed by the account. @param fields all except chain, sender and proofs */
  signed<T extends AuthorizedTransaction>(
    key: KeyPair,
    fields: Omit<Extract<TransactionFields, { type: T["type"] }>, "chainId" | "sender" | "proofs">,
  ): T {
    const own = { ...fields, chainId, sender: key.publicKey, proofs: [] } as unknown as TransactionFields;
    const { bodyBytes } = buildTransaction(own) as T;
    const proofs = [sign(key.privateKey, bodyBytes, this.#random.bytes(64))];
    return buildTransaction({ ...own, proofs } as TransactionFields) as T;
  }

  async post(path: string, body: string, { isOwner = false, signal }: PostOptions = {}): Promise<PostResult> {
    const headers = {
      "Content-Type": "application/json",
      ...(isOwner && { "X-API-Key": privateNetworkSecrets.apiKey }),
    };
    const response = await fetch(this.url + path, { method: "POST", headers, body, ...(signal && { signal }) });
    return { status: response.status, text: await response.text() };
  }

  broadcast(transaction: Transaction, options: PostOptions = {}): Promise<PostResult> {
    return this.post("/transactions/broadcast", jsonText(transactionJson(transaction)), options);
  }

  /**
   * Broadcasts a transaction and waits until a block includes it.
   * @returns its height
   * @throws Error when it is rejected, or no block includes it
   */
  async confirm(transaction: Transaction): Promise<number> {
    const { status, text } = await this.broadcast(transaction);
    if (status !== 200) throw new Error(`a transaction of type ${transaction.type} is refused: ${text}`);
    const endMs = performance.now() + WAIT_TIMEOUT_MS;
    for (;;) {
      const found = await fetch(`${this.url}/transactions/info/${encodeBase58(transaction.id)}`);
      if (found.ok) return ((await found.json()) as { readonly height: number }).height;
      if (performance.now() > endMs) throw new Error(`no block takes a transaction of type ${transaction.type}`);
      await wait(LOOK_MS);
    }
  }
}
