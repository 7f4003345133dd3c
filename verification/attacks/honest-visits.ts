/** Honest clients in place of an attack's sockets: each connects, sends one request, and disconnects. */
import type { Load } from "./attack.ts";
import type { AttackedNode } from "./attacked-node.ts";
import { onlyStatus, socketLoad } from "./socket-load.ts";

/**
 * Visits from the hosts of an attack.
 * @param most maximum number of visits
 * @param path that each visitor requests and reads
 */
export function honestVisits(
  node: AttackedNode,
  hosts: readonly string[],
  most: number,
  path = "/blocks/height",
): Load {
  return (options) =>
    socketLoad({
      ...{ port: node.port, hosts, sockets: options.connections, most },
      use: (socket, number, signal) => {
        socket.write(`GET ${path}?visit=${number} HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n`);
        return onlyStatus(socket, signal);
      },
    })(options);
}
