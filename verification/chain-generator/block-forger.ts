/** Invalid blocks with a wrong state hash, and blocks that challenge them; a node never forges the former. */
import type { Chain } from "../../durable/chain-state/chain/open-chain.ts";
import { type GeneratorDraw, GeneratorDraws } from "../../durable/chain-state/miner/generator-draw.ts";
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import type { Digest, KeyPair, PublicKey, Signature } from "../../src/crypto/identities.ts";
import type { RandomSource } from "../../src/crypto/random.ts";
import type { Block, BlockHeader } from "../../src/protocol/blocks/block.ts";
import { challengedHeaderOf } from "../../src/protocol/blocks/block-signature.ts";
import { BlockVersion } from "../../src/protocol/blocks/block-version.ts";
import { signBlock } from "../../src/protocol/blocks/build-block.ts";
import { transactionsRoot } from "../../src/protocol/blocks/transactions-root.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import type { ScriptWork } from "../../src/ride/evaluator/script-work.ts";
import { addTransactions, includerOf, type OpenedBlock, openBlock } from "../../src/rules/blocks/apply-block.ts";
import { expectedBlockVersion } from "../../src/rules/consensus/block-version.ts";
import { baseTargetAfter, delayAfter, generatingBalanceAt, headerAt } from "../../src/rules/consensus/next-block.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";

/** State hash of no block. */
export const wrongStateHash = new Uint8Array(32).fill(1) as Digest;

/** Options of a block; omitted header fields get their valid values. */
export type BlockOptions = Partial<BlockHeader> & {
  readonly key: KeyPair;
  readonly transactions?: readonly Transaction[];
  /** Counts the work of its scripts, and may cache results. */
  readonly work?: ScriptWork;
};

/** Randomness of a generator: proofs and signatures. */
export class BlockForger {
  readonly #random: RandomSource;
  readonly #draws: GeneratorDraws;

  constructor(random: RandomSource) {
    this.#random = random;
    this.#draws = new GeneratorDraws(random);
  }

  /** Earliest timestamp of the account's block. @param challenged generator of the block that it challenges, if any */
  earliestTimestamp(view: StateView, key: KeyPair, challenged?: PublicKey): bigint {
    const bonus = challenged === undefined ? 0n : balanceOf(view, challenged);
    const balance = balanceOf(view, key.publicKey) + bonus;
    return headerAt(view, view.height).header.timestamp + delayAfter(view, this.drawOf(view, key).delaySource, balance);
  }

  /** The account's draw after the tip. */
  drawOf(view: StateView, key: KeyPair): GeneratorDraw {
    return this.#draws.find(view, key);
  }

  /** A block after the view's tip, without a state hash unless the options have one. */
  unhashed(view: StateView, options: BlockOptions): Block {
    return this.#signed(view, this.#header(view, options), options);
  }

  /** A block after the chain's tip with its valid state hash, unless the options have another one. */
  valid(chain: Chain, options: BlockOptions): Block {
    const header = this.#header(chain.view, options);
    const stateHash = "stateHash" in options ? options.stateHash : this.#opened(chain, header, options).run.stateHash;
    return this.#signed(chain.view, { ...header, stateHash }, options);
  }

  /** A block whose only error is a wrong state hash. */
  wrong(chain: Chain, options: BlockOptions): Block {
    return this.unhashed(chain.view, { stateHash: wrongStateHash, ...options });
  }

  /** A block that challenges another one with the same parent: valid if only that one's state hash is wrong. */
  challenging(chain: Chain, original: Block, options: BlockOptions): Block {
    const timestamp = this.earliestTimestamp(chain.view, options.key, original.header.generator);
    const { transactions } = original;
    return this.valid(chain, { timestamp, challengedHeader: challengedHeaderOf(original), transactions, ...options });
  }

  /** The open block after its transactions. */
  opened(chain: Chain, options: BlockOptions): OpenedBlock {
    return this.#opened(chain, this.#header(chain.view, options), options);
  }

  #opened({ view, stored }: Chain, header: BlockHeader, options: BlockOptions): OpenedBlock {
    const { transactions = [], challengedHeader, key, work } = options;
    const { height, carryFee } = stored.tip();
    const parent = { carryFee, transactions: () => stored.transactionsAt(height) };
    // Scripts see the same header fields as in the final block.
    const signed = { header, signature: new Uint8Array(64) as Signature, id: headerAt(view, height).id };
    const handling = { verifySignatures: true, signed, work };
    const opened = openBlock(view, header, this.drawOf(view, key).hitSource, transactions, parent, handling);
    addTransactions(opened.run, transactions, includerOf(handling, challengedHeader !== undefined));
    return opened;
  }

  #header(view: StateView, { key, transactions = [], work: _, ...fields }: BlockOptions): BlockHeader {
    const { functionality } = view.settings;
    const version = expectedBlockVersion({ height: view.height + 1, features: view, functionality });
    const timestamp = fields.timestamp ?? this.earliestTimestamp(view, key, fields.challengedHeader?.generator);
    return {
      version,
      timestamp,
      reference: headerAt(view, view.height).id,
      baseTarget: baseTargetAfter(view, timestamp),
      generationSignature: this.drawOf(view, key).generationSignature(),
      generator: key.publicKey,
      featureVotes: [],
      rewardVote: -1n,
      transactionsRoot: version >= BlockVersion.Protobuf ? transactionsRoot(transactions) : undefined,
      stateHash: undefined,
      challengedHeader: undefined,
      finalizationVoting: undefined,
      ...fields,
    };
  }

  #signed(view: StateView, header: BlockHeader, { key, transactions = [] }: BlockOptions): Block {
    const { chainId } = view.settings;
    return signBlock({ header, transactions, privateKey: key.privateKey, chainId, random: this.#random });
  }
}

const balanceOf = (view: StateView, publicKey: PublicKey): bigint =>
  generatingBalanceAt(view, addressOfPublicKey(publicKey, view.settings.chainId));
