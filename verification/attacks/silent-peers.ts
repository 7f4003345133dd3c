/** Peers that send no handshake or an endless frame, and frames that announce more than the maximum length. */
import { concatBytes } from "../../src/crypto/bytes.ts";
import { messageTable } from "../../src/protocol/messages/message-table.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { Attack } from "./attack.ts";
import { greeting } from "./attacking-peer.ts";
import { honestVisits } from "./honest-visits.ts";
import { attackingHosts } from "./hosts.ts";
import { totalCount } from "./request-load.ts";
import { ended, socketLoad } from "./socket-load.ts";

const HOSTS = 40;
const SOCKETS = 120;
const DRIP_MS = 200;
const MAGIC = 0x12345678;
const HEAD_BYTES = 17;

/** Length, magic number, code and announced payload length. */
function frameHead(code: number, payloadBytes: number): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeInt32BE((payloadBytes + HEAD_BYTES - 4) | 0, 0);
  head.writeInt32BE(MAGIC, 4);
  head.writeUInt8(code, 8);
  head.writeInt32BE(payloadBytes | 0, 9);
  return head;
}

const beginnings: Readonly<Record<string, (random: SeededRandom) => Uint8Array>> = {
  nothing: () => new Uint8Array(0),
  "half a handshake": (random) => greeting(random).subarray(0, random.between(1, 20)),
  "bytes that are no handshake": (random) => random.bytes(random.between(1, 2_000)),
  "an unfinished frame": (random) =>
    concatBytes(
      greeting(random),
      frameHead(messageTable.block.code, messageTable.block.maxBytes),
      new Uint8Array(60_000),
    ),
  "a huge frame": (random) =>
    concatBytes(greeting(random), frameHead(messageTable.blockSnapshot.code, messageTable.blockSnapshot.maxBytes)),
  "a frame beyond all bounds": (random) =>
    concatBytes(greeting(random), frameHead(messageTable.block.code, 2 ** 31 - 1)),
  "a frame of a negative length": (random) => concatBytes(greeting(random), frameHead(messageTable.block.code, -1)),
  "another magic number": (random) => concatBytes(greeting(random), random.bytes(HEAD_BYTES)),
};
const kinds = Object.keys(beginnings);

export const silentPeers: Attack = {
  name: "silent-peers",
  about: "peers without a handshake, unfinished and huge frames",
  prepare: async (node, random) => {
    const hosts = attackingHosts(random, HOSTS);
    const hostile = socketLoad({
      ...{ port: node.peerPort, hosts, sockets: SOCKETS },
      use: async (socket, _, signal) => {
        const kind = random.pick(kinds);
        socket.resume().write((beginnings[kind] as (random: SeededRandom) => Uint8Array)(random));
        const timer = setInterval(() => socket.writable && socket.write("x"), DRIP_MS);
        await ended(socket, signal);
        clearInterval(timer);
        return `${kind}: closed`;
      },
    });
    return { hostile, honest: (outcomes) => honestVisits(node, hosts, totalCount(outcomes)) };
  },
};
