/** Peers of a node on this machine, by flags, variable and settings. */
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { type ChoosePeersOptions, type ChosenPeers, choosePeers } from "../../../local/runtime/peer-choice.ts";
import { parsePeerBridge } from "../../../src/network/peer-bridge.ts";
import { freePort } from "../../../verification/local-node.ts";

const opened: { stop(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.stop();
});

const flags = { host: "127.0.0.1", isHostGiven: false, peers: undefined, p2pPort: undefined };
const settingsFile = (network: object) => JSON.stringify({ waves: { blockchain: { type: "TESTNET" }, network } });

interface TestChoice extends ChosenPeers {
  readonly warnings: readonly string[];
}

async function choose(
  binding: string,
  given: Partial<ChoosePeersOptions["flags"]> = {},
  peersVariable?: string,
): Promise<TestChoice> {
  const messages: string[] = [];
  const choice = await choosePeers({
    flags: { ...flags, ...given },
    network: { binding },
    peersVariable,
    onConnection: async () => {},
    warn: (message) => messages.push(message),
  });
  if (choice.listener !== undefined) opened.push(choice.listener);
  return { ...choice, warnings: messages };
}

/** A port in use by another program. */
async function occupiedPort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push({ stop: () => server.close() });
  return (server.address() as AddressInfo).port;
}

test("a node listens where flag or settings say, and the Worker is told where, and how it reaches the runner", async () => {
  const free = await freePort();
  const { listener, bindings, settings } = await choose("private", { p2pPort: free, peers: "a:1" });
  expect(listener?.address).toBe(`127.0.0.1:${free}`);
  expect(bindings).toMatchObject({ PEERS: "a:1", LISTENS: `127.0.0.1:${free}` });
  expect(parsePeerBridge(bindings["PEER_BRIDGE"] ?? "")).toEqual(listener?.bridge);
  expect(settings.node.peers.knownPeers).toEqual(["a:1"]);
  listener?.stop();
  const file = settingsFile({ "bind-address": "127.0.0.2", port: free });
  const byFile = await choose(file);
  expect(byFile.listener?.address).toBe(`127.0.0.2:${free}`);
  byFile.listener?.stop();
  expect((await choose(file, { isHostGiven: true })).listener?.address).toBe(`127.0.0.1:${free}`);
});

test("a port that is taken is refused where a flag asked for it, and otherwise told of", async () => {
  const port = await occupiedPort();
  const message = `Port ${port} on 127.0.0.1 is taken by another program: stop it, or give another --p2p-port.`;
  await expect(choose("private", { p2pPort: port })).rejects.toEqual(new UsageError(message));
  const { listener, warnings, bindings } = await choose(settingsFile({ port }));
  expect(warnings).toEqual([`Other nodes cannot connect to this one. ${message}`]);
  expect(listener?.address).toBeUndefined();
  expect(bindings).toMatchObject({ LISTENS: "" });
});

test("a node that knows no others and does not listen has no door at all", async () => {
  const { listener, bindings } = await choose("mainnet", { peers: "none", p2pPort: 0 });
  expect(listener).toBeUndefined();
  expect(bindings).toEqual({ PEERS: "none", LISTENS: "" });
  expect((await choose("mainnet", { p2pPort: 0 })).listener).toBeDefined();
});

test("the variable names peers where no flag does, and is refused in a sentence where it is wrong", async () => {
  const knownPeers = async (...args: Parameters<typeof choose>) =>
    (await choose(...args)).settings.node.peers.knownPeers;
  expect(await knownPeers("private", { p2pPort: 0 }, "b:2")).toEqual(["b:2"]);
  expect(await knownPeers("private", { p2pPort: 0, peers: "a:1" }, "b:2")).toEqual(["a:1"]);
  await expect(choose("private", { p2pPort: 0 }, "b:")).rejects.toEqual(
    new UsageError('Setting PEERS is "b:", expected host:port, several with commas, or none.'),
  );
});
