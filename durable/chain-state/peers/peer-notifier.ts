/** Notifies the peers' side of this node's own events; the chain never waits for it. */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { encodeEndorsement } from "../../../src/protocol/messages/endorsement.ts";
import { encodeMicroBlock } from "../../../src/protocol/messages/micro-block.ts";
import { buildMicroBlockInv, encodeMicroBlockInv } from "../../../src/protocol/messages/micro-block-inv.ts";
import type { ChainListener, ChainNews, ChainStanding } from "../../../src/rpc/chain-for-peers.ts";
import { logFault } from "../../log.ts";
import type { BegunRound } from "../finality/endorser.ts";

export interface PeerNewsFacts {
  /** Undefined: there are no peers. */
  readonly listener: ChainListener | undefined;
  readonly standing: () => ChainStanding;
  /** Accounts that may have made a micro-block. */
  readonly accounts: () => readonly KeyPair[];
  readonly chainId: number;
  readonly random: RandomSource;
}

export class PeerNews {
  readonly #facts: PeerNewsFacts;

  constructor(options: PeerNewsFacts) {
    this.#facts = options;
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
      if (account === undefined) throw new Error("the account that made a micro-block is no longer in the wallet");
      const inv = encodeMicroBlockInv(buildMicroBlockInv(microBlock, account, random, chainId));
      const { totalBlockId: totalId } = microBlock;
      return { microBlock: { inv, totalId, microBlock: encodeMicroBlock(microBlock) } };
    });
  }

  /** @param transactions protobuf `SignedTransaction` from clients */
  heard(transactions: readonly Uint8Array[]): void {
    this.#tell(() => ({ transactions }));
  }

  /** A block has started a round of endorsements, or ended it. */
  voting({ round, endorsements }: BegunRound): void {
    this.#tell(() => ({ voting: { round, endorsements: endorsements.map(encodeEndorsement) } }));
  }

  /** The chain has changed. */
  changed(): void {
    this.#tell(() => ({}));
  }

  #tell(events: () => Omit<ChainNews, "standing">): void {
    const { listener, standing } = this.#facts;
    if (listener === undefined) return;
    const failed = (error: unknown): void => logFault("other nodes were not notified", error);
    try {
      listener.told({ ...events(), standing: standing() }).catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
