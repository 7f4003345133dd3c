/** Peers that claim the highest score, and then send ids of unknown blocks, wrong blocks, or nothing. */
import { setTimeout as wait } from "node:timers/promises";
import type { BlockId } from "../../src/protocol/blocks/block.ts";
import type { Attack } from "./attack.ts";
import { peerLoad } from "./attacking-peer.ts";
import { honestVisits } from "./honest-visits.ts";
import { attackingHosts } from "./hosts.ts";
import { poorBlock } from "./poor-block.ts";
import { totalCount } from "./request-load.ts";

const HOSTS = 60;
const SOCKETS = 60;
const SAY_MS = 200;
const ID_BYTES = 32;
const IDS = 100;
const replies = ["silence", "unknown ids", "wrong blocks"] as const;

export const falseScores: Attack = {
  name: "false-scores",
  about: "scores of chains that nobody has",
  prepare: async (node, random) => {
    const hosts = attackingHosts(random, HOSTS);
    const drawnId = () => random.bytes(ID_BYTES) as BlockId;
    const replyOf = new WeakMap<object, (typeof replies)[number]>();
    let score = 2n ** 160n;
    const hostile = peerLoad({
      ...{ port: node.peerPort, hosts, sockets: SOCKETS, random },
      heard: (message, peer) => {
        const reply = replyOf.get(peer) ?? "silence";
        if (message.kind === "getBlockIds" && reply !== "silence") {
          // The first id is the last block that both have.
          const value = [...message.value.slice(0, 1), ...Array.from({ length: IDS }, drawnId)];
          peer.send({ kind: "blockIds", value });
        }
        if (message.kind === "getBlock" && reply === "wrong blocks")
          peer.send({ kind: "block", value: poorBlock(random, { reference: message.value }) });
      },
      use: async (peer, _, signal) => {
        replyOf.set(peer, random.pick(replies));
        while (peer.socket.writable && !signal.aborted) {
          peer.send({ kind: "score", value: ++score });
          await wait(SAY_MS);
        }
        return `${replyOf.get(peer)}: closed`;
      },
    });
    return { hostile, honest: (outcomes) => honestVisits(node, hosts, totalCount(outcomes)) };
  },
};
