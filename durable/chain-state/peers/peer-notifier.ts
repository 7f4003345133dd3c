/** Notifies the peers' side of this node's own events; the chain never waits for it. */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { encodeEndorsement } from "../../../src/protocol/messages/endorsement.ts";
import { encodeMicroBlock } from "../../../src/protocol/messages/micro-block.ts";
import { buildMicroBlockInv, encodeMicroBlockInv } from "../../../src/protocol/messages/micro-block-inv.ts";
import type { ChainEvents, ChainListener, ChainTip } from "../../../src/rpc/chain-for-peers.ts";
import { logError } from "../../log.ts";
import type { RoundStart } from "../finality/endorser.ts";

export interface PeerNotifierOptions {
  /** Undefined: there are no peers. */
  readonly listener: ChainListener | undefined;
  readonly tip: () => ChainTip;
  /** Accounts that may have made a micro-block. */
  readonly accounts: () => readonly KeyPair[];
  readonly chainId: number;
  readonly random: RandomSource;
}

export class PeerNotifier {
  readonly #options: PeerNotifierOptions;

  constructor(options: PeerNotifierOptions) {
    this.#options = options;
  }

  /** Notifies of a key block made by this node. */
  forged(block: Block): void {
    this.#notify(() => ({ block: encodeBlock(block, this.#options.chainId) }));
  }

  /** Notifies of a micro-block made by this node. */
  extended(microBlock: MicroBlock): void {
    this.#notify(() => {
      const { accounts, random, chainId } = this.#options;
      const sender = bytesKey(microBlock.sender);
      const account = accounts().find(({ publicKey }) => bytesKey(publicKey) === sender);
      if (account === undefined) throw new Error("the account that made a micro-block is no longer in the wallet");
      const inv = encodeMicroBlockInv(buildMicroBlockInv(microBlock, account, random, chainId));
      const { totalBlockId: totalId } = microBlock;
      return { microBlock: { inv, totalId, microBlock: encodeMicroBlock(microBlock) } };
    });
  }

  /** @param transactions protobuf `SignedTransaction` from clients */
  accepted(transactions: readonly Uint8Array[]): void {
    this.#notify(() => ({ transactions }));
  }

  /** Notifies of a block that has started or ended a round of endorsements. */
  voting({ round, endorsements }: RoundStart): void {
    this.#notify(() => ({ voting: { round, endorsements: endorsements.map(encodeEndorsement) } }));
  }

  /** Notifies of a change of the chain. */
  changed(): void {
    this.#notify(() => ({}));
  }

  #notify(events: () => Omit<ChainEvents, "tip">): void {
    const { listener, tip } = this.#options;
    if (listener === undefined) return;
    const failed = (error: unknown): void => logError("other nodes were not notified", error);
    try {
      listener.onChainEvents({ ...events(), tip: tip() }).catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
