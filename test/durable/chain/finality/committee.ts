/** A chain whose generators commit themselves, as the reference's own scenarios have them, and what they vote. */
import type { ChainListener } from "../../../../durable/peers/chain-for-peers.ts";
import type { ReadModelSink } from "../../../../durable/publish/read-model-sink.ts";
import { BlockMaker, type BlockWish } from "../../../../scripts/tools/chain-maker/challenged-blocks.ts";
import { SimulatedNode } from "../../../../scripts/tools/simulation/simulated-node.ts";
import { addressOfPublicKey } from "../../../../src/crypto/address.ts";
import { aggregateSignatures, blsPublicKeyOf, blsSecretKeyOf, blsSign } from "../../../../src/crypto/bls.ts";
import { concatBytes, i32Bytes } from "../../../../src/crypto/bytes.ts";
import { blake2b256 } from "../../../../src/crypto/hash.ts";
import type { Address, KeyPair } from "../../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../../src/crypto/random.ts";
import { Feature } from "../../../../src/network/features.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { BlockchainSettings, FunctionalitySettings, NodeSettings } from "../../../../src/network/settings.ts";
import type {
  Block,
  BlockId,
  ConflictEndorsement,
  FinalizationVoting,
  MicroBlock,
} from "../../../../src/protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../../../src/protocol/blocks/finalization-voting.ts";
import { buildMicroBlock } from "../../../../src/protocol/blocks/liquid-block.ts";
import { buildTransaction } from "../../../../src/protocol/transactions/build-transaction.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { addTransactions, placing } from "../../../../src/rules/blocks/apply-block.ts";
import { headerAt } from "../../../../src/rules/consensus/next-block.ts";
import { networkOf } from "../../../rules/blocks/next-block.ts";
import { signedBy } from "../../pool/signed-by.ts";
import { signedTransfer, walletKey } from "../../pool/signed-transfer.ts";

export const waves = 100_000_000n;
export const { chainId } = privateNetwork.blockchain;
export const addressOf = ({ publicKey }: KeyPair): Address => addressOfPublicKey(publicKey, chainId);

/** Fee of a commitment, and what it keeps back. */
export const commitmentFee = 10_000_000n;
export const deposit = 100n * waves;

const endorserKeyOf = ({ privateKey }: KeyPair) => blsSecretKeyOf(privateKey);

/** Of no block that there is. */
export const otherBlockId = blake2b256(new Uint8Array(1)) as Uint8Array as BlockId;

export interface CommitteeOptions {
  /** What each of the accounts has at genesis, WAVES. */
  readonly balances?: readonly bigint[];
  readonly functionality?: Partial<FunctionalitySettings>;
  /** By default from the start. */
  readonly activation?: number;
  readonly node?: NodeSettings;
  /** Is told what the node says to others. */
  readonly peers?: ChainListener;
  /** Where the chain is published; by default nowhere. */
  readonly readModel?: ReadModelSink;
}

/** What an endorsement says. */
export interface Endorsing {
  readonly finalizedHeight?: number;
  /** By default that of the chain. */
  readonly finalizedBlockId?: BlockId;
  /** By default the parent of the block to which the voting belongs. */
  readonly endorsedBlockId?: BlockId;
}

/** Settings whose accounts have the balances, with periods of two blocks: [0, 2], [3, 4], [5, 6], … */
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
  readonly #blocks = new BlockMaker(secureRandomBytes);
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
    // So late that every account has had its turn.
    this.node.nowMs += 100_000_000_000;
  }

  /** A chain of two blocks, of which the second one has the commitments of the accounts to the period from 3 on. */
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

  /** @param endorser whose BLS key endorses for the account */
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

  /** A transfer of one of the accounts, by default to the next one. */
  transfer(from = 0, amount = 1n, to = this.key((from + 1) % this.keys.length)): Transaction {
    this.#transfers++;
    const { timestamp } = this.chain.stored.tip();
    return signedTransfer({ key: this.key(from), to, amount, timestamp: timestamp + this.#transfers });
  }

  /** The next block, of the account. */
  block(generator: number, wish: Omit<BlockWish, "key"> = {}): Block {
    return this.#blocks.valid(this.chain, { key: this.key(generator), ...wish });
  }

  /** A block with a wrong state hash, and one that challenges it. */
  challenge(challenged: number, challenger: KeyPair, wish: Omit<BlockWish, "key"> = {}): [Block, Block] {
    const original = this.#blocks.wrong(this.chain, { key: this.key(challenged), ...wish });
    return [original, this.#blocks.challenging(this.chain, original, { key: challenger })];
  }

  append(generator: number, wish: Omit<BlockWish, "key"> = {}): Block {
    const block = this.block(generator, wish);
    this.node.append(block);
    return block;
  }

  /** The next micro-block of the tip's generator. Its transactions are one transfer, if nothing else is said. */
  microBlock(
    generator: number,
    finalizationVoting: FinalizationVoting | undefined,
    transactions: readonly Transaction[] = [this.transfer(generator)],
  ): MicroBlock {
    const { liquid } = this.chain;
    const { run } = liquid.openMicroBlock({ verifySignatures: true });
    addTransactions(run, transactions, placing({ verifySignatures: true }));
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

  /** What an endorsement of the block after the tip's parent signs; `endorsedBlockId`: for a voting of the next key block the tip. */
  #signedBytes({ finalizedHeight = 1, finalizedBlockId, endorsedBlockId }: Endorsing): Uint8Array {
    return endorsementSignedBytes({
      finalizedHeight,
      finalizedBlockId: finalizedBlockId ?? this.idAt(finalizedHeight),
      endorsedBlockId: endorsedBlockId ?? this.idAt(this.view.height),
    });
  }

  /** A voting of the next key block. @param signers by default the endorsers themselves: committed members by their indexes */
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

  /** An endorsement that takes another block for final than the chain has. */
  conflict(index: number, says: Endorsing = {}, key = this.key(index)): ConflictEndorsement {
    const facts = {
      finalizedBlockId: otherBlockId,
      finalizedHeight: 1,
      endorsedBlockId: this.idAt(this.view.height),
      ...says,
    };
    return { endorserIndex: index, ...facts, signature: blsSign(endorserKeyOf(key), endorsementSignedBytes(facts)) };
  }
}
