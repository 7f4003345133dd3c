/** Request heads that are too long or have too many headers, and text that is no request. */
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { Attack } from "./attack.ts";
import { honestVisits } from "./honest-visits.ts";
import { attackingHosts } from "./hosts.ts";
import { newcomerFaults, withNewcomers } from "./newcomers.ts";
import { totalCount } from "./request-load.ts";
import { firstStatus, socketLoad, UNDER_WAY } from "./socket-load.ts";

const HOSTS = 20;
const SOCKETS = 200;
const KIB = 1_024;
const GET = "GET /blocks/height HTTP/1.1\r\nHost: node\r\n";

type Head = (random: SeededRandom) => string;
const heads: Readonly<Record<string, Head>> = {
  "one long header": (random) => `${GET}X-A: ${"a".repeat(random.between(1, 1_000) * KIB)}`,
  "a long target": (random) => `GET /${"a".repeat(random.between(1, 1_000) * KIB)}`,
  "many headers": (random) => `${GET}${"X-A: b\r\n".repeat(random.between(64, 20_000))}\r\n`,
  "many headers of one byte": (random) => `${GET}${"a:\r\n".repeat(random.between(64, 20_000))}\r\n`,
  "many hosts": (random) => `${GET}${"Host: node\r\n".repeat(random.between(1, 60))}\r\n`,
  "a chunked body of endless extensions": (random) =>
    `POST /transactions/broadcast HTTP/1.1\r\nHost: node\r\nTransfer-Encoding: chunked\r\n\r\n1;${"a".repeat(random.between(1, 1_000) * KIB)}`,
  "two lengths": () =>
    `POST /transactions/broadcast HTTP/1.1\r\nHost: node\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n`,
  "folded lines": (random) => `${GET}X-A: b\r\n${" c\r\n".repeat(random.between(1, 20_000))}\r\n`,
  "bytes that are no request": (random) => Buffer.from(random.bytes(4 * KIB)).toString("latin1"),
};
const names = Object.keys(heads);
/** Expected results: a rejection, or the end of the connection or of the load. Heads within the limits are served. */
const expected = new Set(["200", "400", "413", "414", "431", "closed", UNDER_WAY]);

export const headerBombs: Attack = {
  name: "header-bombs",
  about: "long heads, thousands of headers, bytes that are no request",
  prepare: async (node, random) => {
    const hosts = attackingHosts(random, HOSTS);
    const hostile = socketLoad({
      ...{ port: node.port, hosts, sockets: SOCKETS },
      use: (socket, _, signal) => {
        socket.write((heads[random.pick(names)] as Head)(random), "latin1");
        return firstStatus(socket, signal);
      },
    });
    return {
      hostile: withNewcomers(node, hostile),
      honest: (outcomes) => honestVisits(node, hosts, totalCount(outcomes)),
      findErrors: (outcomes) => [
        ...newcomerFaults(outcomes),
        ...[...outcomes.keys()]
          .filter((name) => !name.startsWith("newcomer") && !expected.has(name))
          .map((name) => `a head was answered with ${name}`),
      ],
    };
  },
};
