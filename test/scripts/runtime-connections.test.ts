import { once } from "node:events";
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  type RuntimeConnection,
  RuntimeConnections,
  type RuntimeRequest,
} from "../../scripts/runner/runtime-connections.ts";

const answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone";

/** A request with a body that its client is still sending. */
class Asked implements RuntimeRequest {
  readonly method = "POST";
  readonly head = "POST /addresses HTTP/1.1\r\nHost: node\r\nContent-Length: 8\r\n\r\n";
  readonly hasBody = true;
  readonly isArriving = false;
  readonly told: string[] = [];
  connection: RuntimeConnection | undefined;

  onConnected(connection: RuntimeConnection): void {
    this.connection = connection;
    connection.write(Buffer.from("half"), false);
  }
  onHead(): void {}
  onBody(): void {}
  onEnd(): void {
    this.told.push("end");
  }
  onFailed(): void {
    this.told.push("failed");
  }
  onUnread(): void {
    this.told.push("unread");
  }

  complete(): void {
    this.connection?.write(Buffer.from("rest"), false);
    this.connection?.endBody(false);
  }
}

test("a request is not asked again where its body finds a connection closed whose answer was not looked at yet", async () => {
  const heads: net.Socket[] = [];
  const server = net.createServer((socket) => {
    let isFirst = true;
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      if (isFirst && bytes.includes("rest")) {
        isFirst = false;
        socket.write(answer);
      } else if (!isFirst) heads.push(socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as net.AddressInfo;
  const limits = { maxRunning: 1, maxArriving: 1, idleMs: 10_000 };
  const connections = new RuntimeConnections({ hostname: "127.0.0.1", port, ...limits, nowMs: () => 0 });
  const first = new Asked();
  connections.ask(first);
  first.complete();
  await expect.poll(() => first.told).toEqual(["end"]);

  const second = new Asked();
  connections.ask(second);
  // The runner is busy with others.
  second.connection?.pause();
  await expect.poll(() => heads.length).toBe(1);
  // What the request is for is done by its head alone.
  const [runtime] = heads as [net.Socket];
  await new Promise((resolve) => runtime.write(answer, resolve));
  const closed = once(runtime, "close");
  runtime.resetAndDestroy();
  await closed;
  second.complete();
  await expect.poll(() => second.told).toEqual(["failed"]);
});
