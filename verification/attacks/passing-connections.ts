/** Hundreds of short connections a second, to the REST interface and to the P2P port. */
import type { Attack, Load, ResultCounts } from "./attack.ts";
import { honestVisits } from "./honest-visits.ts";
import { attackingHosts } from "./hosts.ts";
import { newcomerFaults, withNewcomers } from "./newcomers.ts";
import { totalCount } from "./request-load.ts";
import { ended, socketLoad } from "./socket-load.ts";

const HOSTS = 40;
const SOCKETS = 40;
/** Pause, ms: without it, the attack's own work on the same machine would delay the readers. */
const PAUSE_MS = 100;
/** Bytes that some of them send before they disconnect. */
const beginnings = ["", "G", "GET /blocks/height HTTP/1.1\r\n", "\u0006wavesR", "\u00ff".repeat(100)] as const;

export const passingConnections: Attack = {
  name: "passing-connections",
  about: "thousands of connections that come and go, also at the port for peers",
  prepare: async (node, random) => {
    const hosts = attackingHosts(random, HOSTS);
    const passing = (name: string, port: number): Load =>
      socketLoad({
        ...{ port, hosts, sockets: SOCKETS, pauseMs: PAUSE_MS },
        use: async (socket, _, signal) => {
          socket.write(random.pick(beginnings), "latin1");
          if (random.boolean(0.5)) socket.resetAndDestroy();
          else socket.resume().end();
          await ended(socket, signal);
          return name;
        },
      });
    const loads = [passing("REST", node.port), passing("peers", node.peerPort)];
    const both: Load = async (options) => {
      const outcomes: ResultCounts = new Map();
      for (const each of await Promise.all(loads.map((load) => load(options))))
        for (const [name, times] of each) outcomes.set(name, (outcomes.get(name) ?? 0) + times);
      return outcomes;
    };
    return {
      hostile: withNewcomers(node, both),
      honest: (outcomes) => honestVisits(node, hosts, totalCount(outcomes)),
      findErrors: newcomerFaults,
    };
  },
};
