/** Invalid transactions of peers: from accounts that own nothing, with false proofs, repeated, and damaged. */
import { setTimeout as wait } from "node:timers/promises";
import { encodeFrame } from "../../src/protocol/messages/frame.ts";
import { messageTable } from "../../src/protocol/messages/message-table.ts";
import { encodeProtobuf } from "../../src/protocol/transactions/encode-for-block.ts";
import { damagedBytes } from "../fuzz/damaged-bytes.ts";
import type { Attack } from "./attack.ts";
import { peerLoad } from "./attacking-peer.ts";
import { attackingHosts } from "./hosts.ts";
import { leftPeers } from "./left-peers.ts";
import { paidTransfers } from "./paid-transfers.ts";
import { unpaidTransfer } from "./unpaid-transfer.ts";

const HOSTS = 30;
const SOCKETS = 40;
/** Number of transactions, signed beforehand: signing costs the attack more than the node. */
const TRANSACTIONS = 500;
const PROOF_BYTES = 64;
const PAUSE_MS = 2;

export const peerTransactions: Attack = {
  name: "peer-transactions",
  about: "floods of transactions by peers: unpaid, falsely signed, damaged",
  prepare: async (node, random) => {
    const hosts = attackingHosts(random, HOSTS);
    const made = Array.from({ length: TRANSACTIONS }, () => unpaidTransfer(node, random));
    const { code } = messageTable.transaction;
    const frames: Readonly<Record<string, () => Uint8Array>> = {
      unpaid: () => encodeFrame({ code, payload: encodeProtobuf(random.pick(made)) }),
      "falsely signed": () => {
        const transaction = { ...random.pick(made), proofs: [random.bytes(PROOF_BYTES)] };
        return encodeFrame({ code, payload: encodeProtobuf(transaction) });
      },
      damaged: () => encodeFrame({ code, payload: damagedBytes(encodeProtobuf(random.pick(made)), random) }),
    };
    let sent = 0;
    const hostile = peerLoad({
      ...{ port: node.peerPort, hosts, sockets: SOCKETS, random },
      use: async (peer, _, signal) => {
        const kind = random.pick(Object.keys(frames));
        while (peer.socket.writable && !signal.aborted) {
          sent += await peer.flood(
            frames[kind] as () => Uint8Array,
            AbortSignal.any([signal, AbortSignal.timeout(PAUSE_MS)]),
          );
          await wait(PAUSE_MS);
        }
        return `${kind}: closed`;
      },
    });
    return { hostile, honest: () => paidTransfers(node, sent), findErrors: () => leftPeers(node) };
  },
};
