/** Chain whose generators commit themselves, as in the reference's own scenarios, and their votings. */

import type { ReadModelSink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { aggregateSignatures, blsPublicKeyOf, blsSecretKeyOf, blsSign } from "../../../src/crypto/bls.ts";
import { concatBytes, i32Bytes } from "../../../src/crypto/bytes.ts";
import { blake2b256 } from "../../../src/crypto/hash.ts";
import type { Address, KeyPair } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings, FunctionalitySettings, NodeSettings } from "../../../src/network/settings.ts";
import type {
  Block,
  BlockId,
  ConflictEndorsement,
  FinalizationVoting,
  MicroBlock,
} from "../../../src/protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../../src/protocol/blocks/finalization-voting.ts";
import { buildMicroBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import type { ChainListener } from "../../../src/rpc/chain-for-peers.ts";
import { addTransactions, includerOf } from "../../../src/rules/blocks/apply-block.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import { BlockForger, type BlockOptions } from "../../../verification/chain-generator/block-forger.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { networkOf } from "./next-block.ts";
import { signedBy } from "./signed-by.ts";
import { signedTransfer, walletKey } from "./signed-transfer.ts";

export const waves = 100_000_000n;
export const { chainId } = privateNetwork.blockchain;
export const addressOf = ({ publicKey }: KeyPair): Address => addressOfPublicKey(publicKey, chainId);

/** Fee of a commitment and its deposit, wavelets. */
export const commitmentFee = 10_000_000n;
export const deposit = 100n * waves;

const endorserKeyOf = ({ privateKey }: KeyPair) => blsSecretKeyOf(privateKey);

/** Id that no block has. */
export const otherBlockId = blake2b256(new Uint8Array(1)) as Uint8Array as BlockId;

export interface CommitteeOptions {
  /** Genesis balance of each account, WAVES. */
  readonly balances?: readonly bigint[];
  readonly functionality?: Partial<FunctionalitySettings>;
  /** Activation height of the feature; by default 1. */
  readonly activation?: number;
  readonly node?: NodeSettings;
  /** Listener for the node's notifications to peers. */
  readonly peers?: ChainListener;
  /** Read model to publish to; by default none. */
  readonly readModel?: ReadModelSink;
}

/** Content of an endorsement. */
export interface Endorsing {
  readonly finalizedHeight?: number;
  /** By default the chain's finalized block. */
  readonly finalizedBlockId?: BlockId;
  /** By default the parent of the voting's block. */
  readonly endorsedBlockId?: BlockId;
}

/** Settings in which the accounts have the balances, with periods of two blocks: [0, 2], [3, 4], [5, 6], … */
export function committeeSettings({
  balances = [2_000_000n, 2_000_000n],
  functionality,
  activation = 0,
}: CommitteeOptions): BlockchainSettings {
  const network = networkOf(
    Feature.BoostBlockReward,
    balances.map((amount, nonce) => ({ key: walletKey(nonce + 1), amount: amount * waves })),
  );
  const preActivatedFeatures = new Map(network.functionality.preActivatedFeatures);
  preActivatedFeatures.set(Feature.DeterministicFinality, activation);
  return {
    ...network,
    functionality: { ...network.functionality, generationPeriodLength: 2, preActivatedFeatures, ...functionality },
  };
}

export class Committee {
  readonly node: SimulatedNode;
  /** Accounts with a balance, of which some may commit. */
  readonly keys: readonly KeyPair[];
  readonly #blocks = new BlockForger(secureRandomBytes);
  #transfers = 0n;

  constructor(options: CommitteeOptions = {}) {
    const blockchain = committeeSettings(options);
    const { blockTimestampMs } = blockchain.genesis;
    this.keys = (options.balances ?? [0n, 0n]).map((_, nonce) => walletKey(nonce + 1));
    const { node, peers, readModel } = options;
    this.node = new SimulatedNode({
      blockchain,
      ...(node && { node }),
      peers,
      ...(readModel && { readModel }),
      startMs: Number(blockTimestampMs),
    });
    // Late enough for every account to be allowed to forge.
    this.node.nowMs += 100_000_000_000;
  }

  /** Chain of two blocks. The second one has the commitments of the accounts to the period from 3. */
  static committed(options: CommitteeOptions & { readonly members?: readonly number[] } = {}): Committee {
    const committee = new Committee(options);
    const members = options.members ?? committee.keys.map((_, index) => index);
    const transactions = members.map((index) => committee.commitment(committee.key(index), 3));
    committee.append(0, { transactions });
    return committee;
  }

  get chain() {
    return this.node.chain;
  }

  get view() {
    return this.node.chain.view;
  }

  key(index: number): KeyPair {
    const key = this.keys[index];
    if (key === undefined) throw new Error(`there is no account ${index}`);
    return key;
  }

  idAt(height: number): BlockId {
    return headerAt(this.view, height).id;
  }

  balanceOf(index: number): bigint {
    return this.view.balance(addressOf(this.key(index)), null);
  }

  /** @param endorser account whose BLS key endorses for `key` */
  commitment(key: KeyPair, generationPeriodStart: number, endorser = key): Transaction {
    const secretKey = endorserKeyOf(endorser);
    const endorserPublicKey = blsPublicKeyOf(secretKey);
    const unsigned = buildTransaction({
      type: TransactionType.CommitToGeneration,
      version: 1,
      chainId,
      sender: key.publicKey,
      fee: commitmentFee,
      feeAsset: null,
      timestamp: this.chain.stored.tip().timestamp,
      proofs: [],
      generationPeriodStart,
      endorserPublicKey,
      commitmentSignature: blsSign(secretKey, concatBytes(endorserPublicKey, i32Bytes(generationPeriodStart))),
    });
    return signedBy(key, unsigned);
  }

  /** Transfer of one of the accounts, by default to the next one. */
  transfer(from = 0, amount = 1n, to = this.key((from + 1) % this.keys.length)): Transaction {
    this.#transfers++;
    const { timestamp } = this.chain.stored.tip();
    return signedTransfer({ key: this.key(from), to, amount, timestamp: timestamp + this.#transfers });
  }

  /** Next block of the chain, by the account. */
  block(generator: number, wish: Omit<BlockOptions, "key"> = {}): Block {
    return this.#blocks.valid(this.chain, { key: this.key(generator), ...wish });
  }

  /** Block with a wrong state hash, and a block that challenges it. */
  challenge(challenged: number, challenger: KeyPair, wish: Omit<BlockOptions, "key"> = {}): [Block, Block] {
    const original = this.#blocks.wrong(this.chain, { key: this.key(challenged), ...wish });
    return [original, this.#blocks.challenging(this.chain, original, { key: challenger })];
  }

  append(generator: number, wish: Omit<BlockOptions, "key"> = {}): Block {
    const block = this.block(generator, wish);
    this.node.append(block);
    return block;
  }

  /** Next micro-block of the tip's generator, by default with one transfer. */
  microBlock(
    generator: number,
    finalizationVoting: FinalizationVoting | undefined,
    transactions: readonly Transaction[] = [this.transfer(generator)],
  ): MicroBlock {
    const { liquid } = this.chain;
    const { run } = liquid.openMicroBlock({ verifySignatures: true });
    addTransactions(run, transactions, includerOf({ verifySignatures: true }));
    const { privateKey } = this.key(generator);
    const extension = { transactions, stateHash: run.stateHash, finalizationVoting };
    return buildMicroBlock({ liquid: liquid.block(), extension, privateKey, chainId, random: secureRandomBytes })
      .microBlock;
  }

  appendMicroBlock(...parts: Parameters<Committee["microBlock"]>): MicroBlock {
    const microBlock = this.microBlock(...parts);
    this.node.node.appendMicroBlock(microBlock);
    return microBlock;
  }

  /**
   * Signed content of an endorsement of the block after the tip's parent. In a voting of the next key block,
   * `endorsedBlockId` is the tip.
   */
  #signedBytes({ finalizedHeight = 1, finalizedBlockId, endorsedBlockId }: Endorsing): Uint8Array {
    return endorsementSignedBytes({
      finalizedHeight,
      finalizedBlockId: finalizedBlockId ?? this.idAt(finalizedHeight),
      endorsedBlockId: endorsedBlockId ?? this.idAt(this.view.height),
    });
  }

  /**
   * Voting of the next key block. @param signers by default the endorsers themselves: committed members by their
   * indexes
   */
  voting({
    endorsers = [],
    conflicts = [],
    signers = endorsers.map((index) => this.key(index)),
    ...says
  }: Endorsing & {
    readonly endorsers?: readonly number[];
    readonly signers?: readonly KeyPair[];
    readonly conflicts?: readonly ConflictEndorsement[];
  } = {}): FinalizationVoting {
    const signed = signers.map((key) => blsSign(endorserKeyOf(key), this.#signedBytes(says)));
    return {
      endorserIndexes: endorsers,
      finalizedHeight: says.finalizedHeight ?? 1,
      aggregatedEndorsementSignature: signed.length === 0 ? undefined : aggregateSignatures(signed),
      conflictEndorsements: conflicts,
    };
  }

  /** Endorsement with another finalized block than the chain's. */
  conflict(index: number, says: Endorsing = {}, key = this.key(index)): ConflictEndorsement {
    const content = {
      finalizedBlockId: otherBlockId,
      finalizedHeight: 1,
      endorsedBlockId: this.idAt(this.view.height),
      ...says,
    };
    return {
      endorserIndex: index,
      ...content,
      signature: blsSign(endorserKeyOf(key), endorsementSignedBytes(content)),
    };
  }
}
