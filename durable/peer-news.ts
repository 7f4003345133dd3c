/** Tells the peers' side what this node has done; nothing that the chain does waits for it. */
import { bytesKey } from "../src/crypto/bytes.ts";
import type { KeyPair } from "../src/crypto/identities.ts";
import type { RandomSource } from "../src/crypto/random.ts";
import type { Block, MicroBlock } from "../src/protocol/blocks/block.ts";
import { encodeBlock } from "../src/protocol/blocks/parse-block.ts";
import { encodeEndorsement } from "../src/protocol/messages/endorsement.ts";
import { encodeMicroBlock } from "../src/protocol/messages/micro-block.ts";
import { buildMicroBlockInv, encodeMicroBlockInv } from "../src/protocol/messages/micro-block-inv.ts";
import type { BegunRound } from "./finality/endorser.ts";
import { logFault } from "./log.ts";
import type { ChainListener, ChainNews, ChainStanding } from "./peers/chain-for-peers.ts";

export interface PeerNewsFacts {
  /** Undefined: nobody wants to know. */
  readonly listener: ChainListener | undefined;
  readonly standing: () => ChainStanding;
  /** Those that may have made a micro-block. */
  readonly accounts: () => readonly KeyPair[];
  readonly chainId: number;
  readonly random: RandomSource;
}

export class PeerNews {
  readonly #facts: PeerNewsFacts;

  constructor(facts: PeerNewsFacts) {
    this.#facts = facts;
  }

  /** This node has made a key block. */
  forged(block: Block): void {
    this.#tell(() => ({ block: encodeBlock(block, this.#facts.chainId) }));
  }

  /** This node has made a micro-block. */
  extended(microBlock: MicroBlock): void {
    this.#tell(() => {
      const { accounts, random, chainId } = this.#facts;
      const sender = bytesKey(microBlock.sender);
      const account = accounts().find(({ publicKey }) => bytesKey(publicKey) === sender);
      if (account === undefined) throw new Error("the account that made a micro-block has left the wallet");
      const inv = encodeMicroBlockInv(buildMicroBlockInv(microBlock, account, random, chainId));
      const { totalBlockId: totalId } = microBlock;
      return { microBlock: { inv, totalId, microBlock: encodeMicroBlock(microBlock) } };
    });
  }

  /** @param transactions protobuf `SignedTransaction`, of clients */
  heard(transactions: readonly Uint8Array[]): void {
    this.#tell(() => ({ transactions }));
  }

  /** A block of others or of this node has begun a round of endorsements, or there is none. */
  voting({ round, endorsements }: BegunRound): void {
    this.#tell(() => ({ voting: { round, endorsements: endorsements.map(encodeEndorsement) } }));
  }

  /** The chain is another one. */
  changed(): void {
    this.#tell(() => ({}));
  }

  #tell(news: () => Omit<ChainNews, "standing">): void {
    const { listener, standing } = this.#facts;
    if (listener === undefined) return;
    const failed = (error: unknown): void => logFault("other nodes were not told", error);
    try {
      listener.told({ ...news(), standing: standing() }).catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
