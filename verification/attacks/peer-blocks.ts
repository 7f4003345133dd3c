/**
 * Invalid blocks of generators that own nothing: on the tip, on unknown parents, with wrong signatures, and with a
 * megabyte of transactions with valid signatures.
 */
import { setTimeout as wait } from "node:timers/promises";
import { decodeBase58 } from "../../src/crypto/base58.ts";
import type { Signature } from "../../src/crypto/identities.ts";
import type { Block, BlockId } from "../../src/protocol/blocks/block.ts";
import type { Attack } from "./attack.ts";
import type { AttackedNode } from "./attacked-node.ts";
import { peerLoad } from "./attacking-peer.ts";
import { attackingHosts } from "./hosts.ts";
import { leftPeers } from "./left-peers.ts";
import { paidTransfers } from "./paid-transfers.ts";
import { poorBlock } from "./poor-block.ts";
import { unpaidTransfer } from "./unpaid-transfer.ts";

const HOSTS = 200;
const SOCKETS = 40;
const PAUSE_MS = 50;
const ID_BYTES = 32;
/** Number of transactions, some 200 KB. */
const TRANSACTIONS = 1_000;

interface Tip {
  readonly id: string;
  readonly "nxt-consensus": { readonly "base-target": number };
}

export const peerBlocks: Attack = {
  name: "peer-blocks",
  about: "invalid blocks, and blocks of generators that own nothing",
  prepare: async (node, random) => {
    const hosts = attackingHosts(random, HOSTS);
    const transactions = Array.from({ length: TRANSACTIONS }, () => unpaidTransfer(node, random));
    let tip = await tipOf(node);
    const onTip = () => ({
      reference: decodeBase58(tip.id) as BlockId,
      baseTarget: BigInt(tip["nxt-consensus"]["base-target"]),
    });
    const kinds: Readonly<Record<string, () => Block>> = {
      "poor generator": () => poorBlock(random, onTip()),
      "poor generator, full block": () => poorBlock(random, { ...onTip(), transactions }),
      "unknown parent": () => poorBlock(random, { reference: random.bytes(ID_BYTES) as BlockId }),
      "unknown parent, full block": () =>
        poorBlock(random, { reference: random.bytes(ID_BYTES) as BlockId, transactions }),
      "wrong signature": () => ({ ...poorBlock(random, onTip()), signature: random.bytes(64) as Signature }),
    };
    let sent = 0;
    const hostile = peerLoad({
      ...{ port: node.peerPort, hosts, sockets: SOCKETS, random },
      use: async (peer, _, signal) => {
        const kind = random.pick(Object.keys(kinds));
        while (peer.socket.writable && !signal.aborted) {
          sent++;
          peer.send({ kind: "block", value: (kinds[kind] as () => Block)() });
          tip = await tipOf(node);
          await wait(PAUSE_MS);
        }
        return `${kind}: closed`;
      },
    });
    return { hostile, honest: () => paidTransfers(node, sent), findErrors: () => leftPeers(node) };
  },
};

async function tipOf({ url }: AttackedNode): Promise<Tip> {
  return (await (await fetch(`${url}/blocks/headers/last`)).json()) as Tip;
}
