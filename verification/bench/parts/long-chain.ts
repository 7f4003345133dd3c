/**
 * A chain of any length, generated without a state. One generator never spends, so its genesis balance always suffices
 * for the delays; features up to 13, so that no header depends on transactions. The content of a height follows from
 * the height alone: the file can be continued, and requests about it need no index.
 */
import { createReadStream, existsSync, statSync, truncateSync } from "node:fs";
import { open } from "node:fs/promises";
import { addressOfPublicKeyHash, addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address, Signature } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { parseNetwork } from "../../../src/network/parse-network.ts";
import type { BlockHeader, BlockId } from "../../../src/protocol/blocks/block.ts";
import { BlockFileReader, encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import { encodeBlock, parseBlock, signedBytes } from "../../../src/protocol/blocks/parse-block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { nextBaseTarget } from "../../../src/rules/consensus/base-target.ts";
import { blockDelayMs } from "../../../src/rules/consensus/block-delay.ts";
import { generationSignature } from "../../../src/rules/consensus/generation-signature.ts";
import { hitOf } from "../../../src/rules/consensus/hit.ts";
import { fairPosV1 } from "../../../src/rules/consensus/pos-algorithm.ts";
import { compileRide, directives } from "../../chain-generator/ride/compile-ride.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { type NativeAccount, nativeAccount } from "./native-signer.ts";
import { signedTransaction } from "./signed-transaction.ts";

const { chainId } = privateNetwork.blockchain;
const genesisMs = 1_700_000_000_000;
/** All of the 100,000,000 WAVES. */
const supply = 10_000_000_000_000_000n;
const waves = 100_000_000n;
const fee = 100_000n;
const setScriptFee = 1_000_000n;
const transfersPerBlock = 10;
/** Number of senders: few, so that each has sent more than a page of transactions in the shortest chain. */
const senderCount = 50;
/** One transfer in this number goes to a new account. */
const freshRecipients = 10;
/** Blocks from a hit source to the block that it decides, under Fair PoS. */
const hitSourceDepth = 100;
const averageBlockDelayMs = 10_000;
/** Height of the block with the asset, the script and the entry. */
const furnishedHeight = 2;
const progressBlocks = 2_000;

const generator = nativeAccount("long chain generator", chainId);
const senders = Array.from({ length: senderCount }, (_, number) => nativeAccount(`long chain ${number}`, chainId));
const owner = senders[0] as NativeAccount;
const dApp = nativeAccount("long chain dApp", chainId);
const senderShare = supply / BigInt(2 * (senderCount + 1));
const generatorShare = supply - senderShare * BigInt(senderCount + 1);

const dAppSource = `${directives(3, "DAPP", "ACCOUNT")}
@Callable(i)
func quote(amount: Int) = {
  let price = fraction(amount, getIntegerValue(this, "rate"), 3)
  if (price < 0) then throw("no price") else WriteSet([DataEntry("last", price)])
}
`;

/** `network.json` of every such chain. */
export function longChainNetwork() {
  const granted = [generator, ...senders, dApp].map(({ address }, number) => ({
    recipient: addressText(address),
    amount: Number(number === 0 ? generatorShare : senderShare),
  }));
  const features = Object.values(Feature).filter((feature) => feature < Feature.BlockReward);
  return {
    waves: {
      blockchain: {
        type: "CUSTOM",
        custom: {
          "address-scheme-character": privateNetwork.blockchain.schemeCharacter,
          functionality: {
            "feature-check-blocks-period": 5,
            "blocks-for-feature-activation": 5,
            "generation-balance-depth-from-50-to-1000-after-height": 0,
            "block-version-3-after-height": 0,
            "pre-activated-features": Object.fromEntries(
              features.map((feature) => [feature, feature === Feature.FeeSponsorship ? -5 : 0]),
            ),
            "double-features-periods-after-height": 1_000_000_000,
            "min-block-time": "5s",
          },
          genesis: {
            "average-block-delay": `${averageBlockDelayMs}ms`,
            "initial-base-target": 1_240,
            timestamp: genesisMs,
            transactions: granted,
          },
        },
      },
    },
  };
}

/** Header values of a block that do not depend on its transactions. */
interface Draw {
  readonly timestampMs: number;
  readonly baseTarget: bigint;
  readonly generationSignature: Uint8Array;
}

export class LongChain {
  /** Values from height 1 on. */
  readonly #draws: Draw[];
  readonly #genesisId: BlockId;

  constructor(height: number) {
    const { blockchain } = parseNetwork(longChainNetwork(), "long chain");
    const { header, id } = genesisBlock(blockchain);
    this.#genesisId = id;
    this.#draws = [
      {
        timestampMs: genesisMs,
        baseTarget: header.baseTarget,
        generationSignature: header.generationSignature,
      },
    ];
    while (this.height < height) this.#draws.push(this.#next());
  }

  get height(): number {
    return this.#draws.length;
  }

  /** Address of an account with a function `quote(amount: Int)` and an entry `rate`. */
  readonly dApp = addressText(dApp.address);
  /** Senders, each with an equal share of all transfers. */
  readonly addresses = senders.map(({ address }) => addressText(address));
  readonly address = addressText(owner.address);

  get assetId(): string {
    return encodeBase58((this.transactionsAt(furnishedHeight)[0] as Transaction).id);
  }

  transactionsAt(height: number): readonly Transaction[] {
    const { timestampMs } = this.#draw(height);
    if (height === furnishedHeight) return furnishing(timestampMs);
    const random = new SeededRandom(`block ${height}`);
    return Array.from({ length: transfersPerBlock }, (_, number) =>
      signedTransaction(
        random.pick(senders),
        {
          type: TransactionType.Transfer,
          version: 2,
          recipient: { kind: "address", address: recipient(random) },
          asset: null,
          amount: BigInt(random.between(1, 1_000)),
          attachment: new Uint8Array(),
          fee,
        },
        timestampMs - number,
      ),
    );
  }

  /**
   * Writes the blocks from height 2 on, after the blocks already in the file.
   * @param report called now and then with the current height
   */
  async write(file: string, report: (height: number) => void): Promise<void> {
    let { height, reference } = await this.#written(file);
    const handle = await open(file, "a");
    try {
      while (height < this.height) {
        const records: Uint8Array[] = [];
        for (const end = Math.min(height + progressBlocks, this.height); height < end; ) {
          const block = this.#block(++height, reference);
          reference = block.id;
          records.push(encodeBlockRecord(encodeBlock(block, chainId)));
        }
        await handle.appendFile(Buffer.concat(records));
        report(height);
      }
    } finally {
      await handle.close();
    }
  }

  /** The end of the chain in the file; an incomplete block there is cut off. */
  async #written(file: string): Promise<{ height: number; reference: BlockId }> {
    let [height, reference] = [1, this.#genesisId];
    if (!existsSync(file)) return { height, reference };
    let endBytes = 0;
    let last: Uint8Array | undefined;
    const reader = new BlockFileReader();
    for await (const chunk of createReadStream(file))
      for (const { bytes, offset } of reader.push(chunk as Uint8Array)) {
        height++;
        last = bytes.slice();
        endBytes = offset + encodeBlockRecord(bytes).length;
      }
    if (last !== undefined) reference = parseBlock(last, chainId).id;
    if (statSync(file).size > endBytes) truncateSync(file, endBytes);
    return { height, reference };
  }

  #block(height: number, reference: BlockId) {
    const { timestampMs, baseTarget, generationSignature: drawn } = this.#draw(height);
    const transactions = this.transactionsAt(height);
    const header: BlockHeader = {
      version: BlockVersion.Ng,
      timestamp: BigInt(timestampMs),
      reference,
      baseTarget,
      generationSignature: drawn,
      generator: generator.publicKey,
      featureVotes: [],
      rewardVote: -1n,
      transactionsRoot: undefined,
      stateHash: undefined,
      challengedHeader: undefined,
      finalizationVoting: undefined,
    };
    const signature = generator.sign(signedBytes({ header, transactions }, chainId)) as Signature;
    return { header, transactions, signature, id: signature as Uint8Array as BlockId };
  }

  #draw(height: number): Draw {
    const draw = this.#draws[height - 1];
    if (draw === undefined) throw new RangeError(`the chain has no height ${height}`);
    return draw;
  }

  #next(): Draw {
    const parentHeight = this.height;
    const parent = this.#draw(parentHeight);
    const source = this.#draw(parentHeight > hitSourceDepth ? parentHeight - hitSourceDepth : parentHeight);
    const delayMs = blockDelayMs(fairPosV1, {
      hit: hitOf(generationSignature(source.generationSignature, generator.publicKey)),
      baseTarget: parent.baseTarget,
      generatingBalance: generatorShare,
    });
    const timestampMs = parent.timestampMs + Number(delayMs);
    const greatGrandparent = parentHeight > 2 ? this.#draw(parentHeight - 2) : undefined;
    return {
      timestampMs,
      baseTarget: nextBaseTarget(fairPosV1, {
        averageBlockDelayMs,
        parentHeight,
        parentBaseTarget: parent.baseTarget,
        parentTimestampMs: BigInt(parent.timestampMs),
        greatGrandparentTimestampMs: greatGrandparent && BigInt(greatGrandparent.timestampMs),
        timestampMs: BigInt(timestampMs),
      }),
      generationSignature: generationSignature(parent.generationSignature, generator.publicKey),
    };
  }
}

function recipient(random: SeededRandom): Address {
  if (random.below(freshRecipients) === 0) return addressOfPublicKeyHash(random.bytes(20), chainId);
  return random.pick(senders).address;
}

function furnishing(timestampMs: number): readonly Transaction[] {
  return [
    signedTransaction(
      owner,
      {
        type: TransactionType.Issue,
        version: 2,
        name: new TextEncoder().encode("Reads"),
        description: new Uint8Array(),
        quantity: 1_000_000n,
        decimals: 2,
        reissuable: true,
        script: null,
        fee: waves,
      },
      timestampMs,
    ),
    signedTransaction(
      dApp,
      { type: TransactionType.SetScript, version: 1, script: compileRide(dAppSource), fee: setScriptFee },
      timestampMs,
    ),
    signedTransaction(
      dApp,
      {
        type: TransactionType.Data,
        version: 1,
        data: [{ key: "rate", value: { type: "integer", value: 7n } }],
        // The account's script, a dApp without a verifier, adds no fee.
        fee: 5n * fee,
      },
      timestampMs,
    ),
  ];
}
