/** The runtime of a running node responds to the front server alone. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { cloneArtifacts } from "../../../local/runtime/clone-artifacts.ts";
import { type LocalRuntime, startRuntime } from "../../../local/runtime/local-runtime.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { projectRoot } from "../../../verification/local-node.ts";

const apiKey = { "X-API-Key": "waves-private-node" };
const folder = mkdtempSync(path.join(os.tmpdir(), "runtime-socket-"));
const usualFolder = process.env["TMPDIR"];
let runtime: LocalRuntime | undefined;

afterEach(async () => {
  await runtime?.stop();
  if (usualFolder === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usualFolder;
  rmSync(folder, { recursive: true, force: true });
});

/** Node of the private network, with its well-known API key. @param temporaryFolder for everything temporary */
async function start(temporaryFolder: string): Promise<{ readonly url: string; readonly pid: number }> {
  mkdirSync(temporaryFolder, { recursive: true });
  process.env["TMPDIR"] = temporaryFolder;
  let pid = 0;
  runtime = await startRuntime({
    artifacts: cloneArtifacts(projectRoot),
    host: "127.0.0.1",
    port: 0,
    storagePath: undefined,
    isKeyKnown: true,
    bindings: {
      NETWORK: "private",
      WAITS_FOR_RUNNER: "yes",
      API_KEY_HASH: privateNetwork.node.apiKeyHash,
      WALLET_SEED: "3yZe7d",
    },
    onProcess: (started) => {
      pid = started;
    },
    onRestart: () => Promise.reject(new Error("the runtime crashed")),
    onStop: () => {},
    onLog: (text) => process.stderr.write(text),
  });
  return { url: `http://127.0.0.1:${runtime.port}`, pid };
}

/** TCP ports on which a process listens. */
function listeningPorts(pid: number): readonly number[] {
  const links = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  const rows = ["tcp", "tcp6"].flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, "utf8").split("\n").slice(1));
  return rows.flatMap((row) => {
    const [, local = "", , state, , , , , , inode] = row.trim().split(/\s+/);
    const isListening = state === "0A" && links.includes(`socket:[${inode}]`);
    return isListening ? [Number.parseInt(local.split(":").at(-1) ?? "", 16)] : [];
  });
}

const walletSeed = async (url: string) => (await fetch(`${url}/wallet/seed`, { headers: apiKey })).status;

describe.runIf(process.platform === "linux")("the runtime", () => {
  test("listens on sockets of a folder that only its user reads, and on no port", async () => {
    const { url, pid } = await start(folder);
    expect(await walletSeed(url)).toBe(200);
    expect(listeningPorts(pid)).toEqual([]);
    const [own = ""] = readdirSync(folder).filter((name) => name.startsWith("waves-node-"));
    expect(statSync(path.join(folder, own)).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.join(folder, own)).filter((name) => name.endsWith(".sock"))).toHaveLength(2);
  });

  test("refuses requests without the token if it listens on a port, with the API key too", async () => {
    // The path is too long for sockets.
    const { url, pid } = await start(path.join(folder, "x".repeat(100)));
    expect(await walletSeed(url)).toBe(200);
    const ports = listeningPorts(pid);
    expect(ports).toHaveLength(2);
    for (const port of ports) {
      expect(await walletSeed(`http://127.0.0.1:${port}`)).toBe(403);
      const guess = { ...apiKey, "X-Runner-Token": "0".repeat(64) };
      expect((await fetch(`http://127.0.0.1:${port}/blocks/height`, { headers: guess })).status).toBe(403);
    }
    expect(JSON.parse((await (runtime as LocalRuntime).request("GET", "/node/version")).text)).toHaveProperty(
      "version",
    );
  });
});
