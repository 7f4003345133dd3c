/** Blocks as full as possible, forged on a clock of their own by the private network's generator. */

import { addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { buildMicroBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import type { Asset, AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { Order, OrderSide } from "../../../src/protocol/transactions/order.ts";
import { buildOrder } from "../../../src/protocol/transactions/order-bytes.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { richKey } from "../../../test/support/builders/signed-transfer.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { SimulatedNode } from "../../simulation/simulated-node.ts";
import { type NativeAccount, nativeAccount } from "./native-signer.ts";
import { richAccount, signedTransaction, type Unsigned } from "./signed-transaction.ts";

const { chainId } = privateNetwork.blockchain;
const accountCount = 1_000;
const microBlockTransactions = 500;
const massTransferItems = 100;
const fee = 100_000n;
const exchangeFee = 300_000n;
const waves = 100_000_000n;
const dayMs = 86_400_000n;
/** One transfer in this number goes to a new account. */
const freshRecipients = 10;

/** Number of transactions that fill a block. */
export const blockKinds = {
  transfers: 6_000,
  massTransfers: 60,
  exchanges: 1_000,
} as const;
export type BlockKind = keyof typeof blockKinds;

export class FullBlocks {
  readonly #node = new SimulatedNode({ startMs: Number(privateNetwork.blockchain.genesis.blockTimestampMs) });
  readonly #random = new SeededRandom("full blocks");
  readonly #accounts = Array.from({ length: accountCount }, (_, number) => nativeAccount(`bench ${number}`, chainId));
  readonly #matcher = nativeAccount("bench matcher", chainId);
  readonly #asset: AssetId;
  /** Blocks that give every account WAVES and an asset. */
  readonly funding: readonly Block[];

  constructor() {
    const issue = this.#signed(richAccount, {
      type: TransactionType.Issue,
      version: 3,
      name: new TextEncoder().encode("Bench"),
      description: new Uint8Array(),
      quantity: 1_000_000_000_000_000n,
      decimals: 8,
      reissuable: false,
      script: null,
      fee: waves,
    });
    this.#asset = issue.id as Uint8Array as AssetId;
    const first = this.#forge([issue, ...this.#grants(null, 10_000n * waves)]);
    this.funding = [first, this.#forge(this.#grants(this.#asset, 1_000n * waves))];
  }

  /** Forges the next block of the chain. */
  next(kind: BlockKind): Block {
    const make = {
      transfers: () => this.#transfer(),
      massTransfers: () => this.#massTransfer(),
      exchanges: () => this.#exchange(),
    };
    return this.#forge(Array.from({ length: blockKinds[kind] }, () => make[kind]()));
  }

  #grants(asset: Asset, amount: bigint): Transaction[] {
    const recipients = [...this.#accounts, this.#matcher].map(({ address }) => address);
    const grants: Transaction[] = [];
    for (let first = 0; first < recipients.length; first += massTransferItems)
      grants.push(
        this.#massTransferOf(richAccount, asset, recipients.slice(first, first + massTransferItems), () => amount),
      );
    return grants;
  }

  #transfer(): Transaction {
    return this.#signed(this.#random.pick(this.#accounts), {
      type: TransactionType.Transfer,
      version: 3,
      recipient: { kind: "address", address: this.#recipient() },
      asset: null,
      amount: BigInt(1 + this.#random.below(1_000_000)),
      attachment: new Uint8Array(),
      fee,
    });
  }

  #massTransfer(): Transaction {
    const recipients = Array.from({ length: massTransferItems }, () => this.#recipient());
    const amount = () => BigInt(1 + this.#random.below(1_000_000));
    return this.#massTransferOf(this.#random.pick(this.#accounts), null, recipients, amount);
  }

  #massTransferOf(
    sender: NativeAccount,
    asset: Asset,
    recipients: readonly Address[],
    amount: () => bigint,
  ): Transaction {
    return this.#signed(sender, {
      type: TransactionType.MassTransfer,
      version: 2,
      asset,
      transfers: recipients.map((address) => ({ recipient: { kind: "address", address }, amount: amount() })),
      attachment: new Uint8Array(),
      fee: fee + (fee * BigInt(recipients.length + (recipients.length % 2))) / 2n,
    });
  }

  #exchange(): Transaction {
    const amount = BigInt(1_000_000 + this.#random.below(1_000_000));
    const price = BigInt(100_000 + this.#random.below(100_000));
    const buy = this.#order(this.#random.pick(this.#accounts), "buy", { amount, price });
    const sell = this.#order(this.#random.pick(this.#accounts), "sell", { amount, price });
    return this.#signed(this.#matcher, {
      type: TransactionType.Exchange,
      version: 3,
      order1: buy,
      order2: sell,
      amount,
      price,
      buyMatcherFee: exchangeFee,
      sellMatcherFee: exchangeFee,
      fee: exchangeFee,
    });
  }

  #order(trader: NativeAccount, side: OrderSide, deal: { readonly amount: bigint; readonly price: bigint }): Order {
    const timestamp = BigInt(this.#node.nowMs);
    const fields = {
      ...deal,
      version: 4,
      chainId,
      sender: trader.publicKey,
      matcher: this.#matcher.publicKey,
      amountAsset: this.#asset,
      priceAsset: null,
      side,
      timestamp: timestamp - BigInt(this.#random.below(1_000_000)),
      expiration: timestamp + dayMs,
      matcherFee: exchangeFee,
      matcherFeeAsset: null,
      priceMode: null,
      attachment: null,
      eip712Signature: null,
    };
    const { bodyBytes } = buildOrder({ ...fields, proofs: [] });
    return buildOrder({ ...fields, proofs: [trader.sign(bodyBytes)] });
  }

  #recipient(): Address {
    if (this.#random.below(freshRecipients) === 0) return addressOfPublicKeyHash(this.#random.bytes(20), chainId);
    return this.#random.pick(this.#accounts).address;
  }

  #signed(sender: NativeAccount, given: Unsigned): Transaction {
    // Random timestamps: otherwise two transactions could be identical.
    return signedTransaction(sender, given, this.#node.nowMs - this.#random.below(3_600_000));
  }

  /** Forges a block of the transactions: a key block and its micro-blocks. The next one extends it. */
  #forge(transactions: readonly Transaction[]): Block {
    const { chain } = this.#node;
    const before = chain.view.height;
    this.#node.mineTo(before + 1);
    for (let first = 0; first < transactions.length; first += microBlockTransactions) {
      const opened = chain.liquid.openMicroBlock({ verifySignatures: false });
      const added = transactions.slice(first, first + microBlockTransactions);
      for (const transaction of added) opened.run.add(transaction);
      const { microBlock } = buildMicroBlock({
        liquid: chain.liquid.block(),
        extension: { transactions: added, stateHash: opened.run.stateHash, finalizationVoting: undefined },
        privateKey: richKey.privateKey,
        chainId,
        random: secureRandomBytes,
      });
      chain.liquid.appendOwnMicroBlock(microBlock, opened, this.#node.nowMs);
    }
    const block = chain.stored.findBlock(before + 1);
    if (block === undefined) throw new Error("no block was forged");
    return block;
  }
}
