/** Wallet requests from the Worker. */
import { blsSign } from "../../../src/crypto/bls.ts";
import { sign } from "../../../src/crypto/curve25519.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import type { EndorserCommitment, WalletAccountInfo, WalletRpc } from "../../../src/env.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import { proofOfPossessionMessage } from "../../../src/protocol/transactions/proof-of-possession.ts";
import { hasProofs } from "../../../src/protocol/transactions/signer.ts";
import { endorserKeysOf } from "./endorser-keys.ts";
import type { Wallet } from "./wallet.ts";

/** Random bytes of a signature. */
const NONCE_BYTES = 64;

export interface WalletCallsOptions {
  /** Undefined: the node has no seed. */
  readonly wallet: Wallet | undefined;
  readonly chainId: number;
  readonly random: RandomSource;
  /** Called when accounts were added or deleted. */
  readonly changed: () => Promise<void>;
}

export class WalletCalls implements WalletRpc {
  readonly #options: WalletCallsOptions;

  constructor(options: WalletCallsOptions) {
    this.#options = options;
  }

  async accounts(): Promise<WalletAccountInfo[]> {
    const accounts = this.#options.wallet?.accounts() ?? [];
    return accounts.map(({ address, publicKey }) => ({ address, publicKey }));
  }

  async create(): Promise<Uint8Array | undefined> {
    const account = this.#options.wallet?.create();
    if (account !== undefined) await this.#options.changed();
    return account?.address;
  }

  async delete(address: Uint8Array): Promise<boolean> {
    const existed = this.#options.wallet?.delete(address as Address) ?? false;
    if (existed) await this.#options.changed();
    return existed;
  }

  async seed(): Promise<Uint8Array | undefined> {
    return this.#options.wallet?.exportSeed();
  }

  async accountSeed(address: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#options.wallet?.exportAccountSeed(address as Address);
  }

  /** Signs the body bytes of the parsed transaction, so other bytes are never signed. @throws WireError, FormatError */
  async sign(signer: Uint8Array, transaction: Uint8Array): Promise<Uint8Array | undefined> {
    const { wallet, chainId, random } = this.#options;
    const account = wallet?.find(signer as Address);
    if (account === undefined) return undefined;
    const unsigned = parseSignedTransaction(transaction, chainId);
    if (!hasProofs(unsigned)) throw new Error(`cannot sign a transaction of type ${unsigned.type}`);
    return sign(account.privateKey, unsigned.bodyBytes, random(NONCE_BYTES));
  }

  async endorserKey(address: Uint8Array): Promise<Uint8Array | undefined> {
    const account = this.#options.wallet?.find(address as Address);
    return account && endorserKeysOf(account.privateKey).publicKey;
  }

  async commitment(address: Uint8Array, periodStart: number): Promise<EndorserCommitment | undefined> {
    const account = this.#options.wallet?.find(address as Address);
    if (account === undefined) return undefined;
    const { secretKey, publicKey: endorserPublicKey } = endorserKeysOf(account.privateKey);
    const commitmentSignature = blsSign(secretKey, proofOfPossessionMessage(endorserPublicKey, periodStart));
    return { endorserPublicKey, commitmentSignature };
  }
}
