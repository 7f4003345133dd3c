/** The front server between raw clients and a fake runtime. */
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { afterEach } from "vitest";
import { type FrontOptions, type FrontServer, startFront } from "../../../local/runtime/front-server.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Fake runtime. @param idleMs time for which it keeps an idle connection */
export async function runtimeOf(
  listener: http.RequestListener,
  idleMs = 5_000,
): Promise<{ url: URL; stop(): Promise<void> }> {
  const server = http.createServer({ keepAliveTimeout: idleMs }, listener);
  // Node waits a little longer than the timeout by default.
  Object.assign(server, { keepAliveTimeoutBuffer: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  cleanUps.push(stop);
  return { url: new URL(`http://127.0.0.1:${port}`), stop };
}

export const echo: http.RequestListener = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  response.setHeader("X-Asked", request.headers["x-own"] ?? "").end(`${request.method} ${request.url} ${body}`);
};

export async function frontOf(
  findRuntimeUrl: () => Promise<URL>,
  options: Partial<
    Pick<FrontOptions, "host" | "onStop" | "isKeyKnown" | "nowMs" | "filePath" | "idleMs" | "onCompleted">
  > = {},
): Promise<{ front: FrontServer; port: number }> {
  const front = await startFront({
    host: "127.0.0.1",
    port: 0,
    findRuntime: async () => {
      const { hostname: host, port } = await findRuntimeUrl();
      return { endpoint: { host, port: Number(port) }, headers: {} };
    },
    isKeyKnown: false,
    onStop: () => {},
    ...options,
  });
  cleanUps.push(() => front.stop());
  return { front, port: front.port };
}

/**
 * Client that sends exactly the given text and collects all bytes received. @param localAddress one of this machine's
 */
export async function rawClient(port: number, localAddress = "127.0.0.1") {
  const socket = net.connect({ port, host: "127.0.0.1", localAddress });
  let seen = "";
  let isClosed = false;
  socket.on("data", (bytes) => (seen += bytes.toString("latin1")));
  socket.on("close", () => (isClosed = true));
  socket.on("error", () => {});
  cleanUps.push(() => socket.destroy());
  await once(socket, "connect");
  const say = (text: string) => socket.write(text, "latin1");
  const end = () => socket.destroy();
  return { say, end, socket, seen: () => seen, isClosed: () => isClosed };
}
