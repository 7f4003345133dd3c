/** Nodes of one network, as their users start them: they follow each other, after any failure of one of them. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { data, transfer } from "@waves/waves-transactions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressText } from "../../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { referenceVersion } from "../../../src/network/reference-version.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import { type JsonObject, jsonText } from "../../../src/protocol/json.ts";
import { encodeFrame } from "../../../src/protocol/messages/frame.ts";
import { encodeHandshake } from "../../../src/protocol/messages/handshake.ts";
import { frameOf } from "../../../src/protocol/messages/message-table.ts";
import { fromPeers } from "../../../src/rules/blocks/from-peers.ts";
import { makeShortNetwork } from "../../../verification/conformance/network/short-network.ts";
import { freePort, type LocalNode, readyNode, startNode } from "../../../verification/local-node.ts";
import { eventually, getJson, sentAndConfirmed, temporaryFolder } from "../../support/builders/started-node.ts";
import { pollTimeout } from "../../support/fixtures/timeouts.ts";

const folder = temporaryFolder();
const settings = path.join(folder.path, "network.json");
/** The same, for a node that makes no blocks alone. */
const withQuorum = path.join(folder.path, "quorum.json");
const network = makeShortNetwork(14, Date.now());
const [sender, recipient] = network.accounts.users;
let ports: readonly [number, number];
/** First of two nodes; it makes blocks. */
let first: LocalNode;
let second: LocalNode;

const startFirst = (file = settings) =>
  readyNode(["--network", file, "--data", path.join(folder.path, "first"), "--p2p-port", String(ports[0])]);
const startSecond = () =>
  readyNode([
    ...["--network", settings, "--data", path.join(folder.path, "second"), "--no-mining"],
    ...["--p2p-port", String(ports[1]), "--peers", `127.0.0.1:${ports[0]}`],
  ]);

beforeAll(async () => {
  writeFileSync(settings, jsonText(network.json));
  const { waves } = network.json as { readonly waves: JsonObject };
  writeFileSync(withQuorum, jsonText({ waves: { ...waves, miner: { ...(waves["miner"] as JsonObject), quorum: 1 } } }));
  ports = [await freePort(), await freePort()];
});
afterAll(async () => {
  await Promise.all([first?.kill(), second?.kill()]);
  folder.remove();
});

const heightOf = async ({ url }: LocalNode): Promise<number> =>
  (await getJson<{ height: number }>(`${url}/blocks/height`)).height;

interface StateHash {
  readonly blockId: string;
  readonly stateHash: string;
  readonly snapshotHash: string;
}

/** Waits until both have new blocks, and returns their state hashes below them. */
async function forgeAndCompare(): Promise<readonly [StateHash, StateHash]> {
  const from = Math.max(await heightOf(first), await heightOf(second));
  const height = await eventually(async () => {
    const both = Math.min(await heightOf(first), await heightOf(second));
    return both >= from + 2 ? both - 1 : undefined;
  });
  const at = ({ url }: LocalNode) => getJson<StateHash>(`${url}/debug/stateHash/${height}`);
  return [await at(first), await at(second)];
}

const senderKey = (): Uint8Array => {
  if (sender === undefined) throw new Error("the network has no users");
  return sender.privateKey;
};

let sent = 0;
const nextTransfer = () => {
  if (recipient === undefined) throw new Error("the network has no users");
  return transfer(
    { recipient: addressText(recipient.address), amount: ++sent, chainId: "R", fee: 500_000 },
    { privateKey: encodeBase58(senderKey()) },
  );
};

const greeting = (nonce: bigint, applicationName = "wavesR"): Uint8Array =>
  encodeHandshake({
    ...{ applicationName, version: { major: 1, minor: 5, patch: 7 }, nodeName: "another", nonce },
    ...{ declaredAddress: undefined, timeSeconds: 0n },
  });

test("a node with a quorum makes its first block once another one is connected, which follows it", async () => {
  first = await startFirst(withQuorum);
  await setTimeout(3_000);
  expect(await heightOf(first)).toBe(1);
  second = await startSecond();
  const [own, followed] = await forgeAndCompare();
  expect(followed).toEqual(own);
  expect(await getJson(`${first.url}/peers/connected`)).toMatchObject({ peers: [{ applicationName: "wavesR" }] });
  expect(await getJson(`${second.url}/peers/connected`)).toMatchObject({
    peers: [{ address: `/127.0.0.1:${ports[0]}`, applicationVersion: referenceVersion }],
  });
});

test("transactions of clients of either are confirmed on both", async () => {
  for (const [to, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const tx = nextTransfer();
    const { height } = await sentAndConfirmed(to.url, tx);
    const there = await eventually(async () => {
      const { status } = await getJson<{ status: string }>(`${other.url}/transactions/status/${tx.id}`);
      return status === "confirmed"
        ? getJson<{ height: number }>(`${other.url}/transactions/info/${tx.id}`)
        : undefined;
    });
    expect(there.height).toBe(height);
  }
});

test("a node whose only peer was killed finds it again", async () => {
  await first.kill();
  await setTimeout(500);
  first = await startFirst();
  const [own, followed] = await forgeAndCompare();
  expect(followed).toEqual(own);
});

test("a node that was killed comes back, and follows", async () => {
  await second.kill();
  const tx = nextTransfer();
  await sentAndConfirmed(first.url, tx);
  second = await startSecond();
  await eventually(async () => {
    const { status } = await getJson<{ status: string }>(`${second.url}/transactions/status/${tx.id}`);
    return status === "confirmed" || undefined;
  });
  const [own, followed] = await forgeAndCompare();
  expect(followed).toEqual(own);
});

test("an explicit P2P port that another program uses is refused", async () => {
  const started = await startNode(["--memory", "--p2p-port", String(ports[0])]);
  expect(await started.exited).toBe(2);
  expect(started.output().trim()).toBe(
    `Port ${ports[0]} on 127.0.0.1 is taken by another program: stop it, or give another --p2p-port.`,
  );
});

test("silent connections are bounded, and keep no peer out", async () => {
  const sockets = Array.from({ length: 150 }, () => net.connect(ports[0], "127.0.0.1"));
  let closed = 0;
  for (const socket of sockets) socket.once("close", () => closed++).on("error", () => {});
  await eventually(async () => closed >= 50 || undefined);
  const [own, followed] = await forgeAndCompare();
  expect(followed).toEqual(own);
  for (const socket of sockets) socket.destroy();
});

test("peers that asked for much, read nothing and are gone are not taken for connected", async () => {
  const value = { type: "binary", value: `base64:${Buffer.alloc(30_000, "x").toString("base64")}` } as const;
  const heights = new Set<unknown>();
  for (let count = 0; count < 6; count++) {
    const entries = Array.from({ length: 4 }, (_, at) => ({ key: `${count} ${at}`, ...value }));
    const params = { data: entries, chainId: "R", fee: 20_000_000 } as const;
    const tx = data(params, { privateKey: encodeBase58(senderKey()) });
    heights.add((await sentAndConfirmed(first.url, tx))["height"]);
  }
  await forgeAndCompare();
  const ids: BlockId[] = [];
  for (const height of heights) {
    const { id } = await getJson<{ id: string }>(`${first.url}/blocks/headers/at/${height}`);
    ids.push(decodeBase58(id) as BlockId);
  }
  const context = { chainId: 0x52, source: fromPeers };
  const questions = ids.map((value) => encodeFrame(frameOf({ kind: "getBlock", value }, context)));
  const sockets = Array.from({ length: 12 }, (_, at) => {
    const host = { host: "127.0.0.1", localAddress: `127.0.3.${1 + (at >> 1)}` };
    const socket = net.connect({ ...host, port: ports[0] }).on("error", () => {});
    socket.write(greeting(BigInt(at)));
    // More than wait for their answers at a time: the node reads no further then.
    for (let asked = 0; asked < 400; asked += questions.length) for (const each of questions) socket.write(each);
    return socket;
  });
  const strangers = async (): Promise<number> => {
    const { peers } = await getJson<{ peers: { peerName: string }[] }>(`${first.url}/peers/connected`);
    return peers.filter(({ peerName }) => peerName === "another").length;
  };
  await expect.poll(strangers, pollTimeout).toBe(sockets.length);
  await setTimeout(2_000);
  for (const socket of sockets) socket.destroy();
  await expect.poll(strangers, pollTimeout).toBe(0);
});

test("a peer of another network is disconnected right after its handshake, and not dialed again", async () => {
  const host = "127.0.0.2";
  const server = net.createServer();
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const knocked = once(server, "connection");
  await fetch(`${first.url}/peers/connect`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Api-Key": privateNetworkSecrets.apiKey },
    body: JSON.stringify({ host, port }),
  });
  const [socket] = (await knocked) as [net.Socket];
  const closed = once(socket, "close");
  socket.on("error", () => {});
  socket.resume().write(greeting(1n, "wavesX"));
  await closed;
  const blacklisted = await eventually(async () => {
    const hosts = await getJson<{ readonly hostname: string }[]>(`${first.url}/peers/blacklisted`);
    return hosts.length > 0 ? hosts : undefined;
  });
  expect(blacklisted).toMatchObject([{ hostname: expect.stringContaining(host) }]);
  server.close();
});
