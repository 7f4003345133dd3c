/** Peers that request the same large block, unknown blocks, and ids repeatedly; half of them read nothing. */
import type { BlockId } from "../../src/protocol/blocks/block.ts";
import type { PeerMessage } from "../../src/protocol/messages/message-table.ts";
import type { Attack } from "./attack.ts";
import { frameBytes, peerLoad } from "./attacking-peer.ts";
import { attackingHosts } from "./hosts.ts";
import { largeBlock } from "./large-block.ts";
import { leftPeers } from "./left-peers.ts";

const HOSTS = 8;
const PEERS = 3 * HOSTS;
const ID_BYTES = 32;
const IDS = 100;
/** Less than the size of the large block. */
const MIN_BLOCK_BYTES = 800_000;
/** Maximum sent to one host in a minute, with room for data in flight and for the honest load after the attack. */
const MAX_HOST_BYTES = 160 * 2 ** 20;

export const peerRequests: Attack = {
  name: "peer-requests",
  about: "requests of peers for blocks and ids, again and again, read and unread",
  prepare: async (node, random) => {
    const large = await largeBlock(node, random);
    const hosts = attackingHosts(random, HOSTS);
    const received = new Map<string, number>();
    const drawnId = () => random.bytes(ID_BYTES) as BlockId;
    const ids = Array.from({ length: IDS }, drawnId);
    const getLarge = { kind: "getBlock", value: large } as const;
    const questions: readonly (() => PeerMessage)[] = [
      () => getLarge,
      () => ({ kind: "getBlock", value: drawnId() }),
      () => ({ kind: "getBlockIds", value: ids }),
      () => ({ kind: "getBlockSnapshot", value: large }),
      () => ({ kind: "getMicroBlock", value: drawnId() }),
      () => ({ kind: "getPeers", value: undefined }),
    ];
    // The first host requests only the large block, and reads all of it.
    const isGreedy = (number: number) => number % hosts.length === 0;
    let sent = 0;
    return {
      hostile: peerLoad({
        ...{ port: node.peerPort, hosts, sockets: PEERS, random },
        reads: (number) => isGreedy(number) || number % 2 === 0,
        use: async (peer, number, signal) => {
          const host = peer.socket.localAddress ?? "";
          peer.socket.on("data", ({ length }: Buffer) => received.set(host, (received.get(host) ?? 0) + length));
          const next = () => frameBytes(isGreedy(number) ? getLarge : random.pick(questions)());
          sent += await peer.flood(next, signal);
          return "closed";
        },
      }),
      honest: () => {
        let left = sent;
        return peerLoad({
          ...{ port: node.peerPort, hosts, sockets: PEERS, random },
          use: async (peer, _, signal) => {
            for (let blocks = 1; left > 0 && peer.socket.writable && !signal.aborted; blocks++) {
              left--;
              peer.send(getLarge);
              await peer.hasReceived(blocks * MIN_BLOCK_BYTES, signal);
            }
            return "closed";
          },
        });
      },
      findErrors: async () => {
        const most = Math.max(0, ...received.values());
        const faults = [...received]
          .filter(([, bytes]) => bytes > MAX_HOST_BYTES)
          .map(([host, bytes]) => `${host} was sent ${Math.round(bytes / 2 ** 20)} MiB`);
        faults.push(...(await leftPeers(node)));
        return most < MIN_BLOCK_BYTES
          ? [...faults, "no peer got the block: the attack did not reach the node"]
          : faults;
      },
    };
  },
};
