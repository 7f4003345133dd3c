/** What the Worker asks of the wallet. */
import { blsSign } from "../../src/crypto/bls.ts";
import { sign } from "../../src/crypto/curve25519.ts";
import type { Address } from "../../src/crypto/identities.ts";
import type { RandomSource } from "../../src/crypto/random.ts";
import type { EndorserCommitment, WalletAccountFacts, WalletRpc } from "../../src/env.ts";
import { parseSignedTransaction } from "../../src/protocol/transactions/parse-transaction.ts";
import { proofOfPossessionMessage } from "../../src/protocol/transactions/proof-of-possession.ts";
import { hasProofs } from "../../src/protocol/transactions/signer.ts";
import { endorserKeysOf } from "./endorser-keys.ts";
import type { Wallet } from "./wallet.ts";

/** Random bytes of a signature. */
const NONCE_BYTES = 64;

export interface WalletCallFacts {
  /** undefined: the node has no seed. */
  readonly wallet: Wallet | undefined;
  readonly chainId: number;
  readonly random: RandomSource;
  /** Is told that accounts came or went. */
  readonly changed: () => Promise<void>;
}

export class WalletCalls implements WalletRpc {
  readonly #facts: WalletCallFacts;

  constructor(facts: WalletCallFacts) {
    this.#facts = facts;
  }

  async accounts(): Promise<WalletAccountFacts[]> {
    const accounts = this.#facts.wallet?.accounts() ?? [];
    return accounts.map(({ address, publicKey }) => ({ address, publicKey }));
  }

  async create(): Promise<Uint8Array | undefined> {
    const account = this.#facts.wallet?.create();
    if (account !== undefined) await this.#facts.changed();
    return account?.address;
  }

  async delete(address: Uint8Array): Promise<boolean> {
    const wasThere = this.#facts.wallet?.delete(address as Address) ?? false;
    if (wasThere) await this.#facts.changed();
    return wasThere;
  }

  async seed(): Promise<Uint8Array | undefined> {
    return this.#facts.wallet?.exportSeed();
  }

  async accountSeed(address: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#facts.wallet?.exportAccountSeed(address as Address);
  }

  /** What is signed is the body of the transaction that was read: bytes that are none are refused. @throws WireError, FormatError */
  async sign(signer: Uint8Array, transaction: Uint8Array): Promise<Uint8Array | undefined> {
    const { wallet, chainId, random } = this.#facts;
    const account = wallet?.find(signer as Address);
    if (account === undefined) return undefined;
    const unsigned = parseSignedTransaction(transaction, chainId);
    if (!hasProofs(unsigned)) throw new Error(`no account signs a transaction of type ${unsigned.type}`);
    return sign(account.privateKey, unsigned.bodyBytes, random(NONCE_BYTES));
  }

  async endorserKey(address: Uint8Array): Promise<Uint8Array | undefined> {
    const account = this.#facts.wallet?.find(address as Address);
    return account && endorserKeysOf(account.privateKey).publicKey;
  }

  async commitment(address: Uint8Array, periodStart: number): Promise<EndorserCommitment | undefined> {
    const account = this.#facts.wallet?.find(address as Address);
    if (account === undefined) return undefined;
    const { secretKey, publicKey: endorserPublicKey } = endorserKeysOf(account.privateKey);
    const commitmentSignature = blsSign(secretKey, proofOfPossessionMessage(endorserPublicKey, periodStart));
    return { endorserPublicKey, commitmentSignature };
  }
}
