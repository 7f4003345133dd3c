/** TCP proxy in front of a node: other nodes connect to the proxy, which forwards to the node until it is closed. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { loopback } from "./network-node.ts";

export class PartitionProxy {
  readonly #port: number;
  readonly #targetPort: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  /**
   * @param port where it listens
   * @param behind port of the node
   */
  constructor(port: number, behind: number) {
    this.#port = port;
    this.#targetPort = behind;
  }

  get address(): string {
    return `${loopback}:${this.#port}`;
  }

  async open(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer({ noDelay: true }, (inner) => this.#forward(inner));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host: loopback, port: this.#port }, resolve);
    });
  }

  /** Cuts its connections and accepts no others. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #forward(caller: Socket): void {
    const node = connect({ host: loopback, port: this.#targetPort, noDelay: true });
    for (const [from, to] of [
      [caller, node],
      [node, caller],
    ] as const) {
      this.#sockets.add(from);
      from.pipe(to);
      // An error only means the end of the connection; `close` follows.
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
