/** Errors at a node's start, and of an idle node: one message with a remedy. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { projectRoot, readyNode, startNode } from "../../../verification/local-node.ts";
import { databaseFiles } from "../../../verification/sqlite/database-files.ts";
import { getJson, temporaryFolder } from "../../support/builders/started-node.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

const whole = path.join(folder.path, "whole");
/** Longer than the runtime itself keeps an idle connection. */
const pauseMs = 17_000;

/** Runs a command to its end. */
async function run(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, { cwd: projectRoot, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  const [code] = await once(child, "close");
  return { code, output };
}

function expectMessage({ code, output }: { code: number | null; output: string }, part: string): void {
  expect(output).toContain(part);
  expect(output.trim().split("\n")).toHaveLength(1);
  expect(code).toBe(2);
}

async function refusal(flags: readonly string[]): Promise<{ code: number | null; output: string }> {
  const started = await startNode(flags);
  return { code: await started.exited, output: started.output() };
}

test("a node keeps an idle client's connection longer than the runtime does, and reports that it works", async () => {
  const node = await readyNode(["--data", whole]);
  const socket = net.connect(Number(new URL(node.url).port), "127.0.0.1");
  let received = "";
  socket.on("data", (bytes: Buffer) => (received += bytes.toString("latin1")));
  const responseCount = () => received.match(/HTTP\/1\.1 200 /g)?.length;
  const ask = () => socket.write("GET /node/version HTTP/1.1\r\nHost: node\r\n\r\n");
  ask();
  await expect.poll(responseCount).toBe(1);
  await setTimeout(pauseMs);
  ask();
  await expect.poll(responseCount).toBe(2);
  expect(socket.closed).toBe(false);
  await expect.poll(() => getJson(`${node.url}/health`)).toMatchObject({ status: "ok", problems: [] });
  socket.destroy();
  expect(await node.stop()).toBe(0);
});

describe("a state", () => {
  const copy = (name: string) => {
    const data = path.join(folder.path, name);
    cpSync(whole, data, { recursive: true });
    return { data, chain: databaseFiles(path.join(data, "storage")).chainState };
  };

  test("whose database is damaged is refused with its name", async () => {
    const { data, chain } = copy("damaged");
    writeFileSync(chain, Buffer.alloc(100_000, "x"));
    for (const log of ["-wal", "-shm"]) rmSync(`${chain}${log}`, { force: true });
    expectMessage(await refusal(["--data", data]), `${chain} is damaged`);
  });

  test("that has lost its chain is refused, and not started over", async () => {
    const { data, chain } = copy("lost");
    for (const part of ["", "-wal", "-shm"]) rmSync(`${chain}${part}`, { force: true });
    expectMessage(await refusal(["--data", data]), `${data} has lost the database with the chain`);
  });

  test.skipIf(process.platform === "win32")("for which there is no room is told of as a full disk", async () => {
    const data = path.join(folder.path, "full");
    // Limit of 200 KB for every file of this process.
    const limited = `trap "" XFSZ; ulimit -f 200; exec "$@"`;
    const start = [process.execPath, "scripts/start.mjs", "--port", "0", "--p2p-port", "0", "--data", data];
    expectMessage(await run("bash", ["-c", limited, "bash", ...start]), "there is no room left on the disk that holds");
  });
});

test("an owner stops a node over HTTP: it responds, and ends", async () => {
  const started = await startNode(["--memory"]);
  const { url } = await started.ready();
  const stop = (headers: HeadersInit) => fetch(`${url}/node/stop`, { method: "POST", headers });
  expect((await stop({})).status).toBe(403);
  const response = await stop({ "X-API-Key": "waves-private-node" });
  expect(await response.text()).toBe('{"stopped":true}');
  expect(await started.exited).toBe(0);
  expect(started.output()).toContain("The node ends: its owner has stopped it.");
});

test("wrong settings of the REST interface end the start", async () => {
  const settings = JSON.parse(readFileSync(path.join(projectRoot, "test/fixtures/networks/private.json"), "utf8"));
  settings.waves["rest-api"]["cors-headers"] = { "access-control-allow-origin": "no origin" };
  const file = path.join(folder.path, "wrong-cors.json");
  writeFileSync(file, JSON.stringify(settings));
  expectMessage(
    await refusal(["--memory", "--network", file]),
    'Setting waves.rest-api.cors-headers.access-control-allow-origin is "no origin"',
  );
});

describe("a command", () => {
  test("whose flag npm takes for itself is refused with the intended one", async () => {
    expectMessage(await run("npm", ["start", "--silent", "--memory"]), "npm start -- --memory");
  });

  test("that lets other machines in with the well-known key is refused", async () => {
    expectMessage(await refusal(["--memory", "--host", "0.0.0.0"]), "--host 0.0.0.0 lets other machines in");
  });
});
