/** Requests and actions of the owner, and the responses of a node without peers. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { parseBase58 } from "../../../src/crypto/base58.ts";
import type { Env, OwnerRpc } from "../../../src/env.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { idlePeers } from "../../support/fakes/idle-peers.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

const network = fixtureText("private-a/network.json");
const key = { "X-API-Key": privateNetworkSecrets.apiKey };
const posted = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { ...key, "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

let database: D1Database;
beforeAll(async () => {
  database = await recordedReadModel();
});

const nodeOf = (owner: Partial<OwnerRpc> = {}, own = network): TestNode => testNode({ database, network: own, owner });
const textOf = async (response: Response) => `${response.status} ${await response.text()}`;

test("the secret alone opens private routes, not a hash in the settings", async () => {
  expect(network).toContain("api-key-hash");
  const statusWith = async (variables: Partial<Env>) =>
    (await testNode({ database, network, variables }).fetch("/debug/configInfo?full=false", { headers: key })).status;
  expect(await statusWith({})).toBe(200);
  expect(await statusWith({ API_KEY_HASH: undefined } as unknown as Partial<Env>)).toBe(403);
});

describe("rolling back", () => {
  const answering = (result: Awaited<ReturnType<OwnerRpc["rollBack"]>>) => {
    const rollBack = vi.fn<OwnerRpc["rollBack"]>(async () => result);
    return { rollBack, node: nodeOf({ rollBack }) };
  };
  const asked = { rollbackTo: 100, returnTransactionsToUtx: true };

  test("asks for the height, and says which block is the last now", async () => {
    const { rollBack, node } = answering({ kind: "done", blockId: new Uint8Array(32) });
    const response = await node.fetch("/debug/rollback", posted(asked));
    expect(await textOf(response)).toBe(`200 {"BlockId":"${"1".repeat(32)}"}`);
    expect(rollBack.mock.calls).toEqual([[100, { returnsTransactions: true }]]);
  });

  test("tells of heights that there are not, and of those that are too deep", async () => {
    const none = answering({ kind: "noBlock" }).node;
    expect(await textOf(await none.fetch("/debug/rollback", posted(asked)))).toBe("400 Block at height not found");
    const deep = answering({ kind: "refused", reason: "too deep" }).node;
    expect(await textOf(await deep.fetch("/debug/rollback", posted(asked)))).toBe(
      '400 {"error":199,"message":"too deep"}',
    );
  });

  test("is refused by a text where the body is none that can be read, or the method is none", async () => {
    const { node } = answering({ kind: "noBlock" });
    const refused = "400 The request contains bad syntax or cannot be fulfilled.";
    for (const init of [{ method: "PUT" }, { method: "POST" }, { method: "POST", body: "{}" }]) {
      expect(await textOf(await node.fetch("/debug/rollback", { headers: key, ...init }))).toBe(refused);
    }
    expect((await node.fetch("/debug/rollback", { method: "PUT" })).status).toBe(403);
  });

  test("wants a height of 32 bits", async () => {
    const { rollBack, node } = answering({ kind: "noBlock" });
    const response = await node.fetch("/debug/rollback", posted({ ...asked, rollbackTo: 2_147_483_648 }));
    expect(await textOf(response)).toContain('"obj.rollbackTo":[{"msg":["error.expected.int"]');
    expect(rollBack).not.toHaveBeenCalled();
  });
});

describe("the settings", () => {
  test("are told in full, and without secrets", async () => {
    const own = JSON.stringify({
      ...JSON.parse(network),
      ignored: { seed: "a seed that stands elsewhere" },
    });
    const response = await nodeOf({}, own).fetch("/debug/configInfo?full=true", { headers: key });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      waves: {
        blockchain: { type: "CUSTOM", custom: { functionality: { "feature-check-blocks-period": 25 } } },
        "rest-api": {
          "minimum-peers": 0,
          "asset-details-limit": 100,
          "cors-headers": { "access-control-allow-origin": "origin-from-request" },
        },
      },
    });
    const { waves } = JSON.parse(network) as {
      waves: { wallet: { seed: string }; "rest-api": { "api-key-hash": string } };
    };
    for (const secret of [waves.wallet.seed, waves["rest-api"]["api-key-hash"], key["X-API-Key"], "a seed that"]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(text).not.toContain(secret);
    }
  });

  test("are told only where `full` is given", async () => {
    const node = nodeOf();
    expect((await node.fetch("/debug/configInfo", { headers: key })).status).toBe(404);
    expect((await node.fetch("/debug/configInfo?full=perhaps", { headers: key })).status).toBe(404);
    expect((await node.fetch("/debug/configInfo?full=no", { headers: key })).status).toBe(200);
  });
});

describe("stopping", () => {
  test("is confirmed; a deployed node says what it goes on to do", async () => {
    const stopped = async (lasts: Awaited<ReturnType<OwnerRpc["stop"]>>) => {
      const node = nodeOf({ stop: async () => lasts });
      return (await node.fetch("/node/stop", { method: "POST", headers: key })).json();
    };
    expect(await stopped("untilStart")).toEqual({ stopped: true });
    expect(await stopped("untilDeployment")).toEqual({ stopped: true, notice: expect.stringContaining("deployed") });
  });
});

test("accounts that may make the next block are told with the time of their turn", async () => {
  const address = parseBase58("3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF") as Uint8Array;
  const node = nodeOf({ miningAccounts: async () => [{ address, generatingBalance: 2n ** 62n, timestampMs: 7 }] });
  expect(await textOf(await node.fetch("/debug/minerInfo", { headers: key }))).toBe(
    '200 [{"address":"3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF","miningBalance":4611686018427387904,"timestamp":7}]',
  );
});

test("a message is written into the log, as far as a line goes", async () => {
  const logged = vi.spyOn(console, "info").mockImplementation(() => {});
  const message = posted({ message: "x".repeat(300) });
  const accepted = await nodeOf().fetch("/debug/print", {
    ...message,
    headers: { ...message.headers, Accept: "text/plain" },
  });
  expect(await textOf(accepted)).toBe("200 ");
  expect(logged.mock.calls).toEqual([[`print: ${"x".repeat(250)}`]]);
  logged.mockRestore();
});

describe("requests for peers of a node without peers report that there are none", () => {
  const noPeers = '400 {"error":199,"message":"This node connects to no peers"}';

  test("to connect", async () => {
    const node = nodeOf();
    expect(await textOf(await node.fetch("/peers/connect", posted({ host: "127.0.0.1", port: 6868 })))).toBe(noPeers);
    expect(await textOf(await node.fetch("/peers/connect", posted({ host: 1 })))).toBe(
      '400 {"error":1,"message":"failed to parse json message","cause":null,"validationErrors":' +
        '{"obj.host":[{"msg":["error.expected.jsstring"],"args":[]}],"obj.port":[{"msg":["error.path.missing"],"args":[]}]}}',
    );
    const far = await node.fetch("/peers/connect", posted({ host: "127.0.0.1", port: 65_536 }));
    expect(await textOf(far)).toBe('400 {"error":199,"message":"port out of range:65536"}');
    expect((await node.fetch("/peers/connect", { headers: key })).status).toBe(405);
  });

  test("of a dev chain, too, whatever its deployment has", async () => {
    const node = testNode({ database, network, peers: idlePeers, variables: { DEV_CHAIN: "on" } });
    const response = await node.fetch("/peers/connect", posted({ host: "127.0.0.1", port: 6868 }));
    expect(await textOf(response)).toBe('400 {"error":199,"message":"A dev chain connects to no peers"}');
  });

  test("to shut out", async () => {
    const response = await nodeOf().fetch("/debug/blacklist", { method: "POST", headers: key, body: "127.0.0.1:6868" });
    expect(await textOf(response)).toBe(noPeers);
  });

  test("no host is blacklisted", async () => {
    const response = await nodeOf().fetch("/peers/clearblacklist", { method: "POST", headers: key });
    expect(await textOf(response)).toBe('200 {"result":"blacklist cleared"}');
  });
});

describe("finality without votes", () => {
  const answer = async (path: string) => textOf(await nodeOf().fetch(path));

  test("is 100 blocks below the tip", async () => {
    expect(await answer("/blocks/height/finalized")).toBe('200 {"height":5}');
    expect(await answer("/blocks/headers/finalized")).toBe(await answer("/blocks/headers/at/5"));
    expect(await answer("/blockchain/finality")).toBe(
      '200 {"height":105,"finalizedHeight":5,"currentGenerationPeriod":null,"currentGenerators":[],' +
        '"nextGenerationPeriod":null,"nextGenerators":[]}',
    );
  });

  test("was as far below every earlier tip, and is not known at this one", async () => {
    expect(await answer("/blocks/finalized/at/104")).toBe('200 {"height":4}');
    expect(await answer("/blocks/finalized/at/1")).toBe('200 {"height":1}');
    expect(await answer("/blocks/finalized/at/0")).toBe('200 {"height":1}');
    for (const height of [105, 2_147_483_647]) {
      expect(await answer(`/blocks/finalized/at/${height}`)).toBe('404 {"error":406,"message":"Not finalized"}');
    }
  });

  test("has no generators", async () => {
    expect(await answer("/generators/at/5")).toBe("404 []");
  });
});
