/** A dev chain that is read by several isolates, with KV and a read model that tells of each batch. */
import { DevClock } from "../../durable/dev/dev-clock.ts";
import { Impersonation } from "../../durable/dev/impersonation.ts";
import { DevChain } from "../../durable/dev-chain.ts";
import { Node } from "../../durable/node.ts";
import { d1Sink, type ReadModelSink } from "../../durable/publish/read-model-sink.ts";
import { openTables } from "../../durable/state/open-tables.ts";
import { StateStore } from "../../durable/state/state-store.ts";
import { SeededRandom } from "../../scripts/tools/chain-maker/seeded-random.ts";
import { d1Double } from "../../scripts/tools/sqlite/d1-double.ts";
import { testDatabase } from "../../scripts/tools/sqlite/test-database.ts";
import { DEV_CHAIN_ON } from "../../src/network/dev-settings.ts";
import { networkOfBinding } from "../../src/network/network-of-binding.ts";
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { genesisText } from "../../src/tables/chain.ts";
import { type TestNode, testNode } from "./test-node.ts";

export interface DevNode {
  readonly node: Node;
  readonly dev: DevChain;
  /** The Worker that is asked first. */
  readonly first: TestNode;
  /** Another one, in an isolate of its own, on the same databases. */
  readonly worker: () => TestNode;
  /** A request of the owner. @returns status and JSON */
  readonly ask: (path: string, body?: unknown) => Promise<{ readonly status: number; readonly json: unknown }>;
}

/** Headers of the owner's requests. */
export const ownerHeaders = { "X-API-Key": privateNetworkSecrets.apiKey } as const;

/** @param onBatch is called before and after each batch of the read model */
export async function devNode(seed: string, onBatch: () => Promise<void> = async () => {}): Promise<DevNode> {
  const settings = networkOfBinding("private", DEV_CHAIN_ON);
  const database = testDatabase();
  const store = new StateStore(database);
  openTables(store, genesisText(settings.blockchain));
  const { d1 } = d1Double();
  const sink = d1Sink(d1);
  const readModel: ReadModelSink = {
    batch: async (statements) => {
      await onBatch();
      const rows = await sink.batch(statements);
      await onBatch();
      return rows;
    },
  };
  const clock = new DevClock(store, Date.now);
  const impersonation = new Impersonation(settings, store);
  const luck = new SeededRandom(seed);
  const random = (sizeBytes: number) => luck.bytes(sizeBytes);
  const node = new Node({
    settings,
    walletSeed: privateNetworkSecrets.walletSeed,
    database,
    readModel,
    nowMs: () => clock.nowMs(),
    random,
    wakeAt: async () => {},
    connectedPeers: () => 0,
    exemption: impersonation.exemption,
  });
  node.mine(true);
  const dev = new DevChain({ node, clock, usualPace: { automine: true, intervalMs: null }, random, impersonation });
  await dev.start({});
  const stored = new Map<string, string>();
  const worker = () =>
    testNode({
      ...{ database: d1, network: "private", stored, node, dev },
      ...{ chainState: node.poolCalls, wallet: node.walletCalls },
      variables: { DEV_CHAIN: DEV_CHAIN_ON, API_KEY_HASH: privateNetworkSecrets.apiKeyHash },
    });
  const first = worker();
  return {
    ...{ node, dev, worker, first },
    ask: async (path, body) => {
      const headers = { ...ownerHeaders, "Content-Type": "application/json" };
      const answer = await first.fetch(
        path,
        body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
      );
      return { status: answer.status, json: await answer.json() };
    },
  };
}
