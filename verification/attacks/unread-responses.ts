/** Connections that send many requests for large responses, and read nothing, or a little now and then. */
import type { Attack, Load } from "./attack.ts";
import { honestVisits } from "./honest-visits.ts";
import { attackingHosts } from "./hosts.ts";
import { newcomerFaults, withNewcomers } from "./newcomers.ts";
import { ended, socketLoad } from "./socket-load.ts";

const HOSTS = 8;
/** The node's largest response, some 1.7 MB. */
const PATH = "/api-docs/swagger-ui-bundle.js";
const REQUEST = `GET ${PATH} HTTP/1.1\r\nHost: node\r\n\r\n`;
const MAX_REQUESTS = 250;
const READ_MS = 500;
const READ_BYTES = 4_096;

export const unreadResponses: Attack = {
  name: "unread-responses",
  about: "requests one behind the other whose responses nobody reads, or only slowly",
  prepare: async (node, random) => {
    const hosts = attackingHosts(random, HOSTS);
    let sent = 0;
    const hostile: Load = (options) =>
      socketLoad({
        ...{ port: node.port, hosts, sockets: options.connections },
        use: async (socket, _, signal) => {
          const isSlow = random.boolean(0.5);
          socket.pause();
          const requests = random.between(1, MAX_REQUESTS);
          sent += requests;
          socket.write(REQUEST.repeat(requests));
          const timer = isSlow ? setInterval(() => socket.read(READ_BYTES), READ_MS) : undefined;
          await ended(socket, signal);
          clearInterval(timer);
          return isSlow ? "slow: closed" : "unread: closed";
        },
      })(options);
    return {
      hostile: withNewcomers(node, hostile),
      honest: () => honestVisits(node, hosts, sent, PATH),
      findErrors: newcomerFaults,
    };
  },
};
