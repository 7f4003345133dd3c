/**
 * Connections that send nothing, and requests that send a byte a second: more of them than the front server accepts.
 */
import type { Socket } from "node:net";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { Attack } from "./attack.ts";
import { honestVisits } from "./honest-visits.ts";
import { attackingHosts } from "./hosts.ts";
import { newcomerFaults, withNewcomers } from "./newcomers.ts";
import { totalCount } from "./request-load.ts";
import { ended, socketLoad } from "./socket-load.ts";

/** A few more sockets than the front server accepts in all. */
const SOCKETS = 1_200;
const HOSTS = 24;
const BYTE_MS = 1_000;

const beginnings = {
  idle: () => "",
  head: (random: SeededRandom) => `GET /blocks/height HTTP/1.1\r\nHost: node\r\nX-${random.text(20)}: `,
  body: (random: SeededRandom) =>
    `POST /transactions/broadcast HTTP/1.1\r\nHost: node\r\nContent-Length: ${random.between(1_000, 1_000_000)}\r\n\r\n`,
} as const;
type Kind = keyof typeof beginnings;
const kinds = Object.keys(beginnings) as Kind[];

export const slowRequests: Attack = {
  name: "slow-requests",
  about: "idle connections, heads and bodies that never end",
  prepare: async (node, random) => {
    const hosts = attackingHosts(random, HOSTS);
    const hostile = socketLoad({
      ...{ port: node.port, hosts, sockets: SOCKETS },
      use: async (socket, _, signal) => {
        const kind = random.pick(kinds);
        socket.write(beginnings[kind](random));
        const timer = kind === "idle" ? undefined : setInterval(() => drip(socket), BYTE_MS);
        await ended(socket, signal);
        clearInterval(timer);
        return `${kind}: closed`;
      },
    });
    return {
      hostile: withNewcomers(node, hostile),
      honest: (outcomes) => honestVisits(node, hosts, totalCount(outcomes)),
      findErrors: newcomerFaults,
    };
  },
};

function drip(socket: Socket): void {
  if (socket.writable) socket.write("x");
}
