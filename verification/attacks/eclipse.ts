/**
 * Peers that announce thousands of addresses without a node, so that the node dials no address announced by honest
 * peers.
 */
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { MAX_PEER_ADDRESSES, type PeerAddress } from "../../src/protocol/messages/peer-address.ts";
import type { Attack, Load } from "./attack.ts";
import { peerLoad } from "./attacking-peer.ts";
import { honestVisits } from "./honest-visits.ts";
import { attackingHosts } from "./hosts.ts";
import { totalCount } from "./request-load.ts";

const HOSTS = 5;
const SOCKETS = 2 * HOSTS;
/** Lifetime of a connection of the attack, so that the node requests addresses again, ms. */
const STAY_MS = 1_000;
/** Head start of the honest peer, so that its addresses arrive first, ms. */
const BEFORE_MS = 1_000;
/** Maximum wait, ms: dials are five seconds apart, and hosts that announce addresses take turns. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 200;
const HONEST_HOST = "127.1.255.1";
/** A port without a listener. */
const DISCARD_PORT = 9;

export const eclipse: Attack = {
  name: "eclipse",
  about: "lists of made-up addresses, so that the node finds no honest peer",
  prepare: async (node, random) => {
    let isDialed = false;
    const listener = net.createServer((socket) => {
      isDialed = true;
      socket.destroy();
    });
    listener.listen(0, HONEST_HOST);
    await once(listener, "listening");
    listener.unref();
    const { port } = listener.address() as AddressInfo;
    const address: PeerAddress = { ip: ipBytes(HONEST_HOST), port };
    const made = () =>
      Array.from({ length: MAX_PEER_ADDRESSES }, () => ({
        ...{ ip: Uint8Array.of(127, random.between(100, 200), random.below(256), random.between(1, 254)) },
        port: DISCARD_PORT,
      }));
    const telling = (hosts: readonly string[], sockets: number, stayMs: number, list: () => readonly PeerAddress[]) =>
      peerLoad({
        ...{ port: node.peerPort, hosts, sockets, random },
        heard: ({ kind }, peer) => {
          if (kind === "getPeers") peer.send({ kind: "peers", value: list() });
        },
        use: async (_, __, signal) => {
          await wait(stayMs, undefined, { signal }).catch(() => {});
          return "told";
        },
      });
    const hosts = attackingHosts(random, HOSTS);
    const honest = telling([HONEST_HOST], 1, PATIENCE_MS, () => [address]);
    const floods = telling(hosts, SOCKETS, STAY_MS, made);
    const hostile: Load = async (options) => {
      const [, outcomes] = await Promise.all([honest(options), wait(BEFORE_MS).then(() => floods(options))]);
      return outcomes;
    };
    return {
      hostile,
      honest: (outcomes) => honestVisits(node, hosts, totalCount(outcomes)),
      findErrors: async () => {
        for (const endMs = performance.now() + PATIENCE_MS; !isDialed && performance.now() < endMs; )
          await wait(LOOK_MS);
        listener.close();
        return isDialed ? [] : ["the node did not dial the address that an honest peer has told of"];
      },
    };
  },
};

function ipBytes(text: string): Uint8Array {
  return Uint8Array.from(text.split("."), Number);
}
