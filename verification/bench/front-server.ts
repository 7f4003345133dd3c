/**
 * `npm run bench -- front-server`: cost of a request in the front server (decision 72), in rounds that alternate with a
 * server that responds by itself and one that forwards through Node's own client. The runtime is a fake: it costs less
 * than workerd, and is the same for all. Rates depend on the load of the machine; the processor time of this process
 * less so.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { startFront } from "../../local/runtime/front-server.ts";

const ROUNDS = 5;
const SECONDS = 1;
const CONNECTIONS = 16;

const headers = {
  "Content-Type": "application/json",
  "Cache-Control": "no-cache",
  Vary: "Accept, Origin",
  ETag: '"0.1"',
};
const body = '{"height":12345}';

/** Constant response; for `/kept` with the state tag that makes it cacheable. */
const constant: http.RequestListener = ({ url }, response) => {
  const state = url === "/kept" ? { "X-State": "0.1" } : {};
  response.writeHead(200, { ...headers, ...state, "Content-Length": body.length }).end(body);
};

async function listen(listener: http.RequestListener): Promise<number> {
  const server = http.createServer({ noDelay: true }, listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as net.AddressInfo).port;
}

/** Sends the next request as soon as a response arrives. @returns number of responses */
async function load(port: number, path: string): Promise<number> {
  let count = 0;
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n`;
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    let seen = "";
    socket.on("connect", () => socket.write(request));
    socket.on("data", (bytes) => {
      seen += bytes.toString("latin1");
      if (!seen.endsWith(body)) return;
      seen = "";
      count++;
      socket.write(request);
    });
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000));
  for (const socket of sockets) socket.destroy();
  return count;
}

/** Runs this file in a process of its own, which ends at the latest with this one. @returns its result */
async function inProcess(...args: readonly string[]): Promise<number> {
  const [message] = (await once(fork(import.meta.filename, args), "message")) as [number];
  return message;
}

async function compare(): Promise<void> {
  const runtimePort = await inProcess("runtime");
  const agent = new http.Agent({ keepAlive: true });
  const probe = net.createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as net.AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const address = { endpoint: { host: "127.0.0.1", port: runtimePort }, headers: {} };
  const front = { host: "127.0.0.1", port, findRuntime: async () => address, isKeyKnown: true, onStop: () => {} };
  await startFront(front);
  const nodePort = await listen((request, response) => {
    const { method = "GET", url: path = "/", rawHeaders } = request;
    http
      .request({ agent, host: "127.0.0.1", port: runtimePort, method, path, headers: rawHeaders }, (incoming) => {
        response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders);
        incoming.pipe(response);
      })
      .end();
  });
  const rows = [
    { name: "answers by itself", port: await listen(constant), path: "/" },
    { name: "the door, from memory", port, path: "/kept" },
    { name: "the door, passed on", port, path: "/" },
    { name: "passed on by Node's client", port: nodePort, path: "/" },
  ].map((row) => ({ ...row, rates: [] as number[], microseconds: [] as number[] }));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { port, path, rates, microseconds } of rows) {
      const before = process.cpuUsage();
      const count = await inProcess("load", String(port), path);
      const { user, system } = process.cpuUsage(before);
      // The first round only warms up.
      if (round === 0) continue;
      rates.push(count / SECONDS);
      microseconds.push((user + system) / count);
    }
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  process.stdout.write("| | requests/s | CPU µs a request | least |\n|---|---|---|---|\n");
  for (const { name, rates, microseconds } of rows) {
    const [rate, cost, least] = [median(rates), median(microseconds), Math.min(...microseconds)];
    process.stdout.write(`| ${name} | ${Math.round(rate)} | ${cost.toFixed(1)} | ${least.toFixed(1)} |\n`);
  }
}

const [role, port, path] = process.argv.slice(2);
if (role === "runtime") {
  process.once("disconnect", () => process.exit());
  process.send?.(await listen(constant));
} else if (role === "load") process.send?.(await load(Number(port), path ?? "/"));
else {
  await compare();
  process.exit();
}
