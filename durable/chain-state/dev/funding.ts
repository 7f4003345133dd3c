/** Faucet of a dev chain: ordinary transfers from the wallet's richest account. */
import { addressText } from "../../../src/crypto/address.ts";
import { sign } from "../../../src/crypto/curve25519.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import type { DevRpc, DevTipResult, PoolRpc } from "../../../src/env.ts";
import { describeViolation } from "../../../src/protocol/describe-violation.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { feeUnitWavelets } from "../../../src/protocol/transactions/fee-units.ts";
import type { TransferTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { depositOf } from "../../../src/rules/finality/deposit.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { minimumFee } from "../../../src/rules/transactions/checks/minimum-fee.ts";
import type { UtxPool } from "../pool/utx-pool.ts";
import type { OwnAccount } from "./known-key.ts";
import { refusalOf, stateReplaced } from "./refusal.ts";

/** Random bytes of a signature. */
const NONCE_BYTES = 64;
/** Maximum of blocks to wait for the transfer: other transactions in the pool may come first. */
const MOST_BLOCKS = 20;

export interface FundingOptions {
  readonly view: StateView;
  readonly pool: Pick<UtxPool, "has">;
  /** Broadcast as by a client. */
  readonly broadcastAll: PoolRpc["broadcastAll"];
  /** Accounts of the wallet. */
  readonly accounts: () => readonly OwnAccount[];
  /** Time of the chain's clock. */
  readonly nowMs: () => number;
  readonly random: RandomSource;
  /** See `Node.attempt`. */
  readonly attempt: <T>(run: () => T) => Promise<Awaited<T>>;
  /** Number of the current state; grows when another state replaces it. */
  readonly generation: () => number;
  /** Makes the next block with the pool's transactions and publishes it. */
  readonly mine: () => Promise<DevTipResult>;
  /** Resolves once readers see the current chain. */
  readonly seen: () => Promise<void>;
  /** Logs the funded address. */
  readonly log: (message: string) => void;
}

export class Funding implements Pick<DevRpc, "fund"> {
  readonly #options: FundingOptions;

  constructor(options: FundingOptions) {
    this.#options = options;
  }

  async fund(address: Uint8Array, amount: bigint): ReturnType<DevRpc["fund"]> {
    const { broadcastAll, mine, seen, log, attempt, nowMs, generation } = this.#options;
    const startGeneration = generation();
    // The same timestamp for every attempt, since it determines the transfer's id.
    const timestamp = BigInt(nowMs());
    const rich = await attempt(() => this.#richest());
    if (rich === undefined) return { kind: "refused", reason: "The wallet has no account to take WAVES from" };
    let transfer: TransferTransaction;
    try {
      transfer = await attempt(() => this.#transfer(rich, { address: address as Address, amount, timestamp }));
    } catch (error) {
      return refusalOf(error);
    }
    const submission = { signedTransaction: encodeProtobuf(transfer), id: transfer.id, areSignaturesVerified: true };
    const [result] = await broadcastAll([submission]);
    if (result === undefined || result === "failed" || "exceeded" in result)
      throw new Error("the pool returned no result for a transfer");
    if (!result.accepted) return { kind: "refused", reason: describeViolation(result.violation) };
    for (let blocks = 0; blocks < MOST_BLOCKS && this.#heightOf(transfer) === undefined; blocks++) {
      // No block of another state includes the transfer.
      if (generation() !== startGeneration) return { kind: "refused", reason: stateReplaced };
      const mined = await mine();
      if (mined.kind === "refused") return mined;
    }
    const height = this.#heightOf(transfer);
    if (height === undefined)
      return { kind: "refused", reason: "The transfer waits in the pool: no block has taken it" };
    log(`the owner has funded ${addressText(address as Address)} at height ${height}`);
    await seen();
    return { kind: "done", id: transfer.id, height };
  }

  #heightOf({ id }: TransferTransaction): number | undefined {
    return this.#options.view.findTransaction(id)?.height;
  }

  #richest(): OwnAccount | undefined {
    const { view, accounts } = this.#options;
    const free = ({ address }: OwnAccount) =>
      view.balance(address, null) - view.leaseBalance(address).out - depositOf(address, view);
    return accounts().reduce<OwnAccount | undefined>(
      (richest, account) => (richest === undefined || free(account) > free(richest) ? account : richest),
      undefined,
    );
  }

  #transfer(
    { publicKey, privateKey }: OwnAccount,
    { address, amount, timestamp }: { readonly address: Address; readonly amount: bigint; readonly timestamp: bigint },
  ): TransferTransaction {
    const { view, pool, random } = this.#options;
    const fields = {
      type: TransactionType.Transfer,
      version: 3,
      chainId: view.settings.chainId,
      sender: publicKey,
      feeAsset: null,
      asset: null,
      fee: feeUnitWavelets,
      amount,
      attachment: new Uint8Array(),
      recipient: { kind: "address", address },
      timestamp,
      proofs: [],
    } as const;
    let unsigned = buildTransaction({ ...fields, fee: minimumFee(buildTransaction(fields), view).required });
    // Two identical requests in a millisecond are two transfers.
    while (pool.has(unsigned.id) || view.findTransaction(unsigned.id) !== undefined)
      unsigned = buildTransaction({ ...unsigned, timestamp: unsigned.timestamp + 1n });
    return buildTransaction({ ...unsigned, proofs: [sign(privateKey, unsigned.bodyBytes, random(NONCE_BYTES))] });
  }
}
