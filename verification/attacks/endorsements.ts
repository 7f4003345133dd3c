/** Endorsements of peers with invalid signatures: matching the round, contradictory, too early, and malformed. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { decodeBase58 } from "../../src/crypto/base58.ts";
import { blsPublicKeyOf, blsSecretKeyOf, blsSign } from "../../src/crypto/bls.ts";
import type { BlockId, ConflictEndorsement } from "../../src/protocol/blocks/block.ts";
import { jsonText } from "../../src/protocol/json.ts";
import { feeUnitWavelets } from "../../src/protocol/transactions/fee-units.ts";
import { proofOfPossessionMessage } from "../../src/protocol/transactions/proof-of-possession.ts";
import { formatOf } from "../../src/protocol/transactions/table.ts";
import type { CommitToGenerationTransaction } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { makeShortNetwork } from "../conformance/network/short-network.ts";
import type { Attack, Load } from "./attack.ts";
import type { AttackedNode } from "./attacked-node.ts";
import { frameBytes, peerLoad } from "./attacking-peer.ts";
import { attackingHosts } from "./hosts.ts";
import { leftPeers } from "./left-peers.ts";
import { paidTransfers } from "./paid-transfers.ts";

const HOSTS = 30;
const SOCKETS = 40;
const SIGNATURES = 20;
const ID_BYTES = 32;
const LOOK_MS = 500;
const PAUSE_MS = 2;
/** Blocks of the period: its first block, and one that follows it. */
const BLOCKS_OF_PERIOD = 2;
const type = TransactionType.CommitToGeneration;

interface Finality {
  readonly height: number;
  readonly finalizedHeight: number;
  readonly nextGenerationPeriod: { readonly start: number };
}

const network = makeShortNetwork(1, Date.now(), { isFinal: true, blockTimeFactor: 1 });

export const endorsements: Attack = {
  name: "endorsements",
  about: "floods of endorsements whose signatures do not hold",
  flags: (folder) => {
    const { waves } = network.json as { readonly waves: { readonly wallet: object } };
    const wallet = { ...waves.wallet, "accounts-generated": network.accounts.generators.length };
    const file = path.join(folder, "network.json");
    writeFileSync(file, jsonText({ waves: { ...waves, wallet } }));
    return ["--network", file];
  },
  prepare: async (node, random) => {
    await commitAll(node);
    const hosts = attackingHosts(random, HOSTS);
    const signatures = Array.from({ length: SIGNATURES }, () =>
      blsSign(blsSecretKeyOf(node.newKey().privateKey), random.bytes(ID_BYTES)),
    );
    const drawnId = () => random.bytes(ID_BYTES) as BlockId;
    let round = await roundOf(node);
    const made = (fields: Partial<ConflictEndorsement>): ConflictEndorsement => ({
      ...{ ...round, endorserIndex: random.below(network.accounts.generators.length) },
      ...{ signature: random.pick(signatures), ...fields },
    });
    const kinds: Readonly<Record<string, () => ConflictEndorsement>> = {
      "asked for": () => made({}),
      contradictory: () => made({ finalizedBlockId: drawnId() }),
      "too early": () => made({ endorsedBlockId: drawnId() }),
      "of no form": () => made({ signature: random.bytes(96) }),
      "of nobody": () => made({ endorserIndex: random.between(100, 60_000) }),
    };
    let sent = 0;
    const flood = peerLoad({
      ...{ port: node.peerPort, hosts, sockets: SOCKETS, random },
      use: async (peer, _, signal) => {
        const kind = random.pick(Object.keys(kinds));
        const next = () => frameBytes({ kind: "endorsement", value: (kinds[kind] as () => ConflictEndorsement)() });
        while (peer.socket.writable && !signal.aborted) {
          sent += await peer.flood(next, AbortSignal.any([signal, AbortSignal.timeout(PAUSE_MS)]));
          await wait(PAUSE_MS);
        }
        return `${kind}: closed`;
      },
    });
    const hostile: Load = async (options) => {
      const follow = async (): Promise<void> => {
        for (; !options.signal.aborted; await wait(LOOK_MS)) round = await roundOf(node);
      };
      const [outcomes] = await Promise.all([flood(options), follow()]);
      return outcomes;
    };
    return { hostile, honest: () => paidTransfers(node, sent), findErrors: () => leftPeers(node) };
  },
};

/** Commits all generators to the next period, and waits for the period to begin. */
async function commitAll(node: AttackedNode): Promise<void> {
  const { start } = (await finalityOf(node)).nextGenerationPeriod;
  for (const generator of network.accounts.generators) {
    const secretKey = blsSecretKeyOf(generator.privateKey);
    const endorserPublicKey = blsPublicKeyOf(secretKey);
    const commitmentSignature = blsSign(secretKey, proofOfPossessionMessage(endorserPublicKey, start));
    await node.confirm(
      node.signed<CommitToGenerationTransaction>(generator, {
        ...{ type, version: 1, feeAsset: null, generationPeriodStart: start, endorserPublicKey, commitmentSignature },
        ...{ fee: BigInt(formatOf(type).feeUnits ?? 1) * feeUnitWavelets, timestamp: BigInt(Date.now()) },
      }),
    );
  }
  while ((await finalityOf(node)).height < start + BLOCKS_OF_PERIOD) await wait(LOOK_MS);
}

/** The round that the node's generators are to endorse. */
async function roundOf(
  node: AttackedNode,
): Promise<Pick<ConflictEndorsement, "finalizedHeight" | "finalizedBlockId" | "endorsedBlockId">> {
  const { height, finalizedHeight } = await finalityOf(node);
  const idAt = async (at: number): Promise<BlockId> => {
    const { id } = (await (await fetch(`${node.url}/blocks/headers/at/${at}`)).json()) as { readonly id: string };
    return decodeBase58(id) as BlockId;
  };
  return { finalizedHeight, finalizedBlockId: await idAt(finalizedHeight), endorsedBlockId: await idAt(height - 1) };
}

async function finalityOf({ url }: AttackedNode): Promise<Finality> {
  return (await (await fetch(`${url}/blockchain/finality`)).json()) as Finality;
}
