/** WAVES for whoever needs some: ordinary transfers of the wallet's richest account. */
import { addressText } from "../../src/crypto/address.ts";
import { sign } from "../../src/crypto/curve25519.ts";
import type { Address } from "../../src/crypto/identities.ts";
import type { RandomSource } from "../../src/crypto/random.ts";
import type { DevRpc, DevStand, PoolRpc } from "../../src/env.ts";
import { describeFault } from "../../src/protocol/fault-text.ts";
import { buildTransaction } from "../../src/protocol/transactions/build-transaction.ts";
import { encodeProtobuf } from "../../src/protocol/transactions/encode-for-block.ts";
import { feeUnitWavelets } from "../../src/protocol/transactions/fee-units.ts";
import type { TransferTransaction } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { depositOf } from "../../src/rules/finality/deposit.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import { minimumFee } from "../../src/rules/transactions/checks/minimum-fee.ts";
import type { UtxPool } from "../pool/utx-pool.ts";
import type { OwnAccount } from "./known-key.ts";
import { refusalOf, stateExchanged } from "./refusal.ts";

/** Random bytes of a signature. */
const NONCE_BYTES = 64;
/** Blocks in which the transfer is waited for: others in the pool may come first. */
const MOST_BLOCKS = 20;

export interface FundingFacts {
  readonly view: StateView;
  readonly pool: Pick<UtxPool, "has">;
  /** As a client would. */
  readonly broadcastAll: PoolRpc["broadcastAll"];
  /** Of the wallet. */
  readonly accounts: () => readonly OwnAccount[];
  /** By the chain's clock. */
  readonly nowMs: () => number;
  readonly random: RandomSource;
  /** See `Node.attempt`. */
  readonly attempt: <T>(run: () => T) => Promise<Awaited<T>>;
  /** Is another one as soon as another state is in the place of this one. */
  readonly generation: () => number;
  /** Makes the next block, with what the pool has; readers see it. */
  readonly mine: () => Promise<DevStand>;
  /** Resolves once readers see the chain as it is. */
  readonly seen: () => Promise<void>;
  /** Is told who was funded. */
  readonly log: (sentence: string) => void;
}

export class Funding implements Pick<DevRpc, "fund"> {
  readonly #facts: FundingFacts;

  constructor(facts: FundingFacts) {
    this.#facts = facts;
  }

  async fund(address: Uint8Array, amount: bigint): ReturnType<DevRpc["fund"]> {
    const { broadcastAll, mine, seen, log, attempt, nowMs, generation } = this.#facts;
    const began = generation();
    // One time for every attempt: the transfer's id follows from it.
    const timestamp = BigInt(nowMs());
    const rich = await attempt(() => this.#richest());
    if (rich === undefined) return { kind: "refused", reason: "The wallet has no account to take WAVES from" };
    let transfer: TransferTransaction;
    try {
      transfer = await attempt(() => this.#transfer(rich, { address: address as Address, amount, timestamp }));
    } catch (error) {
      return refusalOf(error);
    }
    const offer = { signedTransaction: encodeProtobuf(transfer), id: transfer.id, areSignaturesVerified: true };
    const [answer] = await broadcastAll([offer]);
    if (answer === undefined || answer === "failed" || "exceeded" in answer)
      throw new Error("the pool did not judge a transfer");
    if (!answer.accepted) return { kind: "refused", reason: describeFault(answer.fault) };
    for (let blocks = 0; blocks < MOST_BLOCKS && this.#heightOf(transfer) === undefined; blocks++) {
      // No block of another state brings it.
      if (generation() !== began) return { kind: "refused", reason: stateExchanged };
      const made = await mine();
      if (made.kind === "refused") return made;
    }
    const height = this.#heightOf(transfer);
    if (height === undefined)
      return { kind: "refused", reason: "The transfer waits in the pool: no block has taken it" };
    log(`the owner has funded ${addressText(address as Address)} at height ${height}`);
    await seen();
    return { kind: "done", id: transfer.id, height };
  }

  #heightOf({ id }: TransferTransaction): number | undefined {
    return this.#facts.view.findTransaction(id)?.height;
  }

  #richest(): OwnAccount | undefined {
    const { view, accounts } = this.#facts;
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
    const { view, pool, random } = this.#facts;
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
    // Whoever asks for the same twice in a millisecond wants two transfers.
    while (pool.has(unsigned.id) || view.findTransaction(unsigned.id) !== undefined)
      unsigned = buildTransaction({ ...unsigned, timestamp: unsigned.timestamp + 1n });
    return buildTransaction({ ...unsigned, proofs: [sign(privateKey, unsigned.bodyBytes, random(NONCE_BYTES))] });
  }
}
