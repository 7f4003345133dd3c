/**
 * A hostile node: it connects to an honest one, and does one thing that honest nodes never do. It has a generator with
 * a balance, so that its blocks are valid as far as possible.
 */
import type { Chain } from "../../../durable/chain-state/chain/open-chain.ts";
import { blsSecretKeyOf, blsSign } from "../../../src/crypto/bls.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Block, BlockId, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { endorsementSignedBytes } from "../../../src/protocol/blocks/finalization-voting.ts";
import { buildMicroBlock, liquidBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import type { BlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import type { Handshake } from "../../../src/protocol/messages/handshake.ts";
import type { PeerMessage } from "../../../src/protocol/messages/message-table.ts";
import { buildMicroBlockInv, type MicroBlockInv } from "../../../src/protocol/messages/micro-block-inv.ts";
import { encodeTransactionSnapshot } from "../../../src/protocol/snapshots/transaction-snapshot.ts";
import { fromPeers } from "../../../src/rules/blocks/from-peers.ts";
import { hasLightNodeFields } from "../../../src/rules/consensus/block-version.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import { generationPeriodAt } from "../../../src/rules/finality/generation-period.ts";
import { BlockForger, wrongStateHash } from "../../chain-generator/block-forger.ts";
import { wrongForm } from "../../chain-generator/challenges.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { nodeDatabase } from "../../sqlite/node-database.ts";
import { type ChainObject, openChainObject } from "./chain-object.ts";
import { Lifetime } from "./lifetime.ts";
import { type NetworkWorld, withoutQuorum } from "./network-world.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import type { SimulatedHost } from "./simulated-internet.ts";
import type { SimulatedMachine } from "./simulated-machine.ts";
import { steadyTransfer } from "./steady-transfer.ts";
import { WireSpeaker } from "./wire-speaker.ts";

export const hostilities = [
  "bytes that are no frames",
  "another network",
  "a score without blocks",
  "a score and silence",
  "ids of unknown blocks",
  "a fork from the first block",
  "a block with another signature",
  "a block with another state hash",
  "a micro-block with another state hash",
  "a block with other snapshots",
  "announcements of nothing",
  "requests without end",
  "conflicting endorsements",
] as const;
export type Hostility = (typeof hostilities)[number];

/**
 * Behaviour that does not lead to blacklisting: excess requests are queued; forks with a lower score than claimed are
 * tolerated some times; for a conflict the generator is excluded, not the peer that relayed it.
 */
const endured: ReadonlySet<Hostility> = new Set<Hostility>([
  "requests without end",
  "a fork from the first block",
  "conflicting endorsements",
]);

export interface HostileNodeOptions {
  readonly hostility: Hostility;
  readonly world: NetworkWorld;
  /** Index of its generator. */
  readonly index: number;
  readonly host: SimulatedHost;
  readonly clock: SimulatedClock;
  readonly random: SeededRandom;
}

const MANY_ATTACKS = 5;
const PATIENT_CLOCK_MS = 10_000;
const FALSE_SCORE = 2n ** 200n;
const MANY_IDS = 60;
const FORK_BLOCKS = 12;
const FLOOD = 1_500;
/** More than a node accepts from one peer in the time window. */
const INVS = 150;
/** Delay from its block to the micro-block on it, ms. */
const BETWEEN_BLOCKS_MS = 500;
/** Time after which it disconnects. */
const WAIT_TIMEOUT_MS = 200_000;

export class HostileNode {
  readonly hostility: Hostility;
  readonly host: SimulatedHost;
  readonly #options: HostileNodeOptions;
  readonly #forger: BlockForger;
  #fork: readonly Block[] | undefined;
  #shadow: ChainObject | undefined;
  #invs: readonly MicroBlockInv[] | undefined;
  #microBlock: MicroBlock | undefined;
  /** False snapshots of its last block. */
  #snapshots: BlockSnapshot | undefined;
  /** Number of attacks so far. */
  attacks = 0;
  /** True after a node has blacklisted it. */
  isBlacklisted = false;

  constructor(options: HostileNodeOptions) {
    this.#options = options;
    this.#forger = new BlockForger((sizeBytes) => options.random.bytes(sizeBytes));
    this.hostility = options.hostility;
    this.host = options.host;
    this.#forger = new BlockForger((sizeBytes) => options.random.bytes(sizeBytes));
  }

  /** True if its victims should have blacklisted it by the end. Faults occasionally end an attack. */
  get mustBeBlacklisted(): boolean {
    return this.attacks >= MANY_ATTACKS && !endured.has(this.hostility);
  }

  attack(victim: SimulatedMachine): void {
    const { world, host, clock, hostility, random } = this.#options;
    const { chainId, schemeCharacter } = world.blockchain;
    const handshake: Handshake = {
      applicationName: `waves${hostility === "another network" ? "?" : schemeCharacter}`,
      version: { major: 1, minor: 5, patch: 7 },
      nodeName: "hostile",
      nonce: BigInt(random.below(2 ** 31)),
      declaredAddress: undefined,
      timeSeconds: BigInt(Math.floor(clock.nowMs() / 1_000)),
    };
    host.connect(victim.options.host.address).then(
      (connection) => {
        const speaker = new WireSpeaker({
          connection,
          handshake,
          context: { chainId, source: fromPeers },
          onHandshake: (begun) => this.#begin(begun, victim),
          onMessage: (message, begun) => this.#respond(message, begun),
        });
        clock.after(WAIT_TIMEOUT_MS, () => connection.close());
        void speaker.run();
        if (hostility === "another network") this.attacks += 1;
      },
      // The victim is down, or has blacklisted it.
      () => {},
    );
  }

  #begin(speaker: WireSpeaker, victim: SimulatedMachine): void {
    const { random, world } = this.#options;
    const begins: Readonly<Record<Hostility, () => void>> = {
      "bytes that are no frames": () => this.#do(() => speaker.sendBytes(random.bytes(200))),
      "another network": () => {},
      "a score without blocks": () => this.#lie(speaker),
      "a score and silence": () => this.#do(() => this.#lie(speaker)),
      "ids of unknown blocks": () => this.#lie(speaker),
      "a fork from the first block": () => this.#lie(speaker),
      "a block with another signature": () =>
        this.#waitForTurn(speaker, victim, (node, timestampMs) => {
          const block = this.#forge(node, timestampMs);
          if (block !== undefined) this.#do(() => this.#sendBlock(speaker, withOtherSignature(block)));
        }),
      "a block with another state hash": () =>
        this.#waitForTurn(speaker, victim, (node, timestampMs) => {
          const block = this.#wrongBlock(node, timestampMs);
          if (block !== undefined) this.#do(() => this.#sendBlock(speaker, block));
        }),
      "a micro-block with another state hash": () =>
        this.#waitForTurn(speaker, victim, (node, timestampMs) => this.#sendMicroBlock(speaker, node, timestampMs)),
      "a block with other snapshots": () =>
        this.#waitForTurn(speaker, victim, (node, timestampMs) => {
          const block = this.#blockWithOtherSnapshots(node, timestampMs);
          if (block !== undefined) this.#sendBlock(speaker, block);
        }),
      "announcements of nothing": () =>
        this.#do(() => {
          this.#invs ??= Array.from({ length: INVS }, () =>
            buildMicroBlockInv(
              { totalBlockId: this.#drawnId(), reference: this.#drawnId() },
              generatorOf(this.#options),
              (sizeBytes) => random.bytes(sizeBytes),
              world.blockchain.chainId,
            ),
          );
          for (const value of this.#invs) speaker.send({ kind: "microBlockInv", value });
        }),
      "requests without end": () =>
        this.#do(() => {
          const ids = Array.from({ length: 100 }, () => this.#drawnId());
          for (let count = 0; count < FLOOD; count++) {
            speaker.send({ kind: "getBlock", value: random.pick(ids) });
            if (count % 10 === 0) speaker.send({ kind: "getBlockIds", value: ids });
            if (count % 100 === 0) speaker.send({ kind: "getPeers", value: undefined });
          }
        }),
      "conflicting endorsements": () => this.#contradict(speaker, victim),
    };
    begins[this.hostility]();
  }

  /** Endorses the victim's parent block with another finalized block, if its generator has a vote. */
  #contradict(speaker: WireSpeaker, victim: SimulatedMachine): void {
    const { view, stored } = victim.chain?.node.chain ?? {};
    if (view === undefined || stored === undefined) return;
    const { publicKey, privateKey } = generatorOf(this.#options);
    const period = generationPeriodAt(view.height, view);
    const commitment =
      period && view.commitments(period.start).find((member) => equalBytes(member.publicKey, publicKey));
    if (commitment === undefined) return;
    const endorsement = {
      finalizedBlockId: this.#drawnId(),
      finalizedHeight: stored.votedHeight(),
      endorsedBlockId: headerAt(view, view.height).header.reference,
    };
    const signature = blsSign(blsSecretKeyOf(privateKey), endorsementSignedBytes(endorsement));
    const value = { ...endorsement, endorserIndex: commitment.index, signature };
    this.#do(() => speaker.send({ kind: "endorsement", value }));
  }

  #respond(message: PeerMessage, speaker: WireSpeaker): void {
    if (message.kind === "getBlockIds" || message.kind === "getSignatures") {
      const first = message.value[0];
      if (first === undefined) return;
      const ids = this.#falseIds(first);
      if (ids === undefined) return;
      const kind = message.kind === "getBlockIds" ? "blockIds" : "signatures";
      this.#do(() => speaker.send({ kind, value: ids } as PeerMessage));
    } else if (message.kind === "getBlock") {
      const block = this.#fork?.find(({ id }) => equalBytes(id, message.value));
      if (block !== undefined) this.#sendBlock(speaker, block);
    } else if (message.kind === "getBlockSnapshot") {
      const value = this.#snapshots;
      if (value !== undefined && equalBytes(value.blockId, message.value))
        this.#do(() => speaker.send({ kind: "blockSnapshot", value }));
    } else if (message.kind === "getMicroBlock") {
      const microBlock = this.#microBlock;
      if (microBlock === undefined || !equalBytes(microBlock.totalBlockId, message.value)) return;
      this.#do(() => speaker.send({ kind: "microBlock", value: microBlock }));
    }
  }

  /** @param first the peer's newest block */
  #falseIds(first: Uint8Array): readonly BlockId[] | undefined {
    if (this.hostility === "a score without blocks") return [];
    if (this.hostility === "ids of unknown blocks")
      return [first as BlockId, ...Array.from({ length: MANY_IDS }, () => this.#drawnId(first.length))];
    if (this.hostility !== "a fork from the first block") return undefined;
    this.#fork ??= this.#forgeFork();
    return this.#fork.map(({ id }) => id);
  }

  /** A fork from genesis; the first block is the genesis block. */
  #forgeFork(): readonly Block[] {
    let nowMs = this.#options.world.genesisMs;
    const own = this.#openShadow(() => nowMs);
    own.node.mine(true);
    while (own.node.chain.view.height <= FORK_BLOCKS) {
      nowMs = Math.max(nowMs, own.node.miner.nextWakeMs(nowMs) ?? nowMs);
      own.node.step();
    }
    const { stored } = own.node.chain;
    return Array.from({ length: FORK_BLOCKS }, (_, index) => stored.findBlock(index + 1) as Block);
  }

  /** Acts at its generator's turn, late enough for the victim to challenge it. */
  #waitForTurn(
    speaker: WireSpeaker,
    victim: SimulatedMachine,
    act: (node: ChainObject["node"], timestampMs: number) => void,
  ): void {
    const { clock } = this.#options;
    const { chain } = victim;
    if (chain === undefined || speaker.isOver) return;
    const { node } = this.#follow(chain);
    const slot = node.miner.schedule().next;
    const tip = node.chain.stored.tip();
    if (slot === undefined) return;
    const timestampMs = Math.max(Number(slot.timestampMs), this.#challengeMs(node, victim) + 1);
    clock.after(timestampMs - clock.nowMs(), () => {
      const now = victim.chain?.node.chain.stored.tip();
      if (speaker.isOver || now === undefined) return;
      if (equalBytes(now.id, tip.id)) act(node, timestampMs);
      // Another generator was faster.
      else clock.after(1, () => this.#waitForTurn(speaker, victim, act));
    });
  }

  /** Time at which the victim could challenge a block of this generator. */
  #challengeMs({ chain: { view } }: ChainObject["node"], victim: SimulatedMachine): number {
    const challenger = this.#options.world.accounts.generators[victim.options.index];
    if (challenger === undefined) throw new Error("each node has a generator");
    return Number(this.#forger.earliestTimestamp(view, challenger, generatorOf(this.#options).publicKey));
  }

  #forge({ miner }: ChainObject["node"], timestampMs: number): Block | undefined {
    return miner.makeKeyBlock(timestampMs, this.#options.clock.nowMs());
  }

  /** A block with transactions valid only for its generator. @returns undefined before blocks carry a state hash */
  #wrongBlock({ chain }: ChainObject["node"], timestampMs: number): Block | undefined {
    if (!carriesStateHash(chain)) return undefined;
    const header = { timestamp: BigInt(timestampMs), featureVotes: [], rewardVote: -1n };
    const key = generatorOf(this.#options);
    return wrongForm({ header, transactions: [] }, { forger: this.#forger, chain, key, random: this.#options.random });
  }

  /**
   * A valid block with false snapshots: executed it is accepted, but the snapshots give its generator the whole supply.
   * @returns undefined before blocks carry a state hash, when snapshots are not requested
   */
  #blockWithOtherSnapshots({ chain }: ChainObject["node"], timestampMs: number): Block | undefined {
    const { world, index, random } = this.#options;
    if (!carriesStateHash(chain)) return undefined;
    const transactions = [steadyTransfer(world, index, timestampMs, random)];
    const key = generatorOf(this.#options);
    const block = this.#forger.valid(chain, { key, timestamp: BigInt(timestampMs), transactions });
    const all = { address: key.address, asset: null, balance: world.blockchain.genesis.initialBalance };
    const snapshot = encodeTransactionSnapshot({ snapshot: { balances: [all] }, status: "succeeded" });
    this.#snapshots = { blockId: block.id, snapshots: [snapshot] };
    return block;
  }

  /** Sends a valid block with an invalid micro-block. */
  #sendMicroBlock(speaker: WireSpeaker, node: ChainObject["node"], timestampMs: number): void {
    const { world, random, clock } = this.#options;
    const { chainId } = world.blockchain;
    const account = generatorOf(this.#options);
    const wrong = this.#wrongBlock(node, timestampMs);
    const base = wrong && this.#forge(node, timestampMs);
    if (base === undefined) return;
    const { transactions } = wrong as Block;
    const randomSource = (sizeBytes: number) => random.bytes(sizeBytes);
    const { microBlock } = buildMicroBlock({
      liquid: liquidBlock(base),
      extension: { transactions, stateHash: wrongStateHash, finalizationVoting: undefined },
      privateKey: account.privateKey,
      chainId,
      random: randomSource,
    });
    this.#microBlock = microBlock;
    this.#sendBlock(speaker, base);
    const value = buildMicroBlockInv(microBlock, account, randomSource, chainId);
    clock.after(BETWEEN_BLOCKS_MS, () => speaker.send({ kind: "microBlockInv", value }));
  }

  /** A private node with a copy of another one's chain. */
  #follow({ node }: ChainObject): ChainObject {
    const { stored, view } = node.chain;
    // Its clock is ahead, so that it accepts everything that others accept.
    this.#shadow ??= this.#openShadow(() => this.#options.clock.nowMs() + PATIENT_CLOCK_MS);
    const own = this.#shadow.node.chain;
    let height = Math.min(view.height, own.view.height);
    const isSame = (): boolean =>
      equalBytes(view.findHeader(height)?.id ?? new Uint8Array(), own.view.findHeader(height)?.id ?? new Uint8Array());
    while (!isSame()) height -= 1;
    own.forks.revertTo(height, { isForced: true });
    for (let next = height + 1; next <= view.height; next++) this.#shadow.node.append(stored.findBlock(next) as Block);
    return this.#shadow;
  }

  /** A private node without peers. */
  #openShadow(nowMs: () => number): ChainObject {
    const { world, index, random } = this.#options;
    return openChainObject({
      lifetime: new Lifetime(),
      machine: { world: withoutQuorum(world), index, isLight: false, random },
      nowMs,
      storage: nodeDatabase(),
      deadAfter: undefined,
      wakeAt: () => {},
      peers: { onChainEvents: async () => {} },
    });
  }

  #lie(speaker: WireSpeaker): void {
    speaker.send({ kind: "score", value: FALSE_SCORE });
  }

  #sendBlock(speaker: WireSpeaker, block: Block): void {
    const kind = block.header.version >= BlockVersion.Protobuf ? "block" : "legacyBlock";
    speaker.send({ kind, value: block });
  }

  #do(attack: () => void): void {
    this.attacks += 1;
    attack();
  }

  #drawnId(sizeBytes = 32): BlockId {
    return this.#options.random.bytes(sizeBytes) as BlockId;
  }
}

/** True if the next block carries a state hash. */
function carriesStateHash({ view }: Pick<Chain, "view">): boolean {
  const { functionality } = view.settings;
  return hasLightNodeFields({ height: view.height + 1, features: view, functionality });
}

function generatorOf({ world, index }: HostileNodeOptions) {
  const generator = world.accounts.generators[index];
  if (generator === undefined) throw new Error("a hostile node has a generator");
  return generator;
}

/** The block as relayed by a peer that has changed its signature. */
function withOtherSignature(block: Block): Block {
  const signature = block.signature.slice() as Block["signature"];
  signature[5] = (signature[5] ?? 0) ^ 1;
  return { ...block, signature };
}
