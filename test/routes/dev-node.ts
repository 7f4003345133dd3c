/** A dev chain as a client meets it: Worker, object and read model in one process. */
import { expect } from "vitest";
import { answerCall } from "../../durable/answer-call.ts";
import { DevClock } from "../../durable/dev/dev-clock.ts";
import { Impersonation } from "../../durable/dev/impersonation.ts";
import { DevChain } from "../../durable/dev-chain.ts";
import { Node } from "../../durable/node.ts";
import { OwnerCalls } from "../../durable/owner-calls.ts";
import { d1Sink } from "../../durable/publish/read-model-sink.ts";
import { openTables } from "../../durable/state/open-tables.ts";
import { StateStore } from "../../durable/state/state-store.ts";
import { SeededRandom } from "../../scripts/tools/chain-maker/seeded-random.ts";
import { d1Double } from "../../scripts/tools/sqlite/d1-double.ts";
import { testDatabase } from "../../scripts/tools/sqlite/test-database.ts";
import { DEV_CHAIN_ON } from "../../src/network/dev-settings.ts";
import { networkOfBinding } from "../../src/network/network-of-binding.ts";
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { jsonText } from "../../src/protocol/json.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../src/protocol/transactions/transaction-json.ts";
import { genesisText } from "../../src/tables/chain.ts";
import { testNode } from "./test-node.ts";

export interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

/** The private network as a dev chain. */
export class DevNode {
  readonly settings = networkOfBinding("private", DEV_CHAIN_ON);
  readonly database = testDatabase();
  readonly readModel = d1Double();
  /** The clock of the machine. */
  wallMs = 1_700_000_000_000;
  readonly #random = new SeededRandom("dev node");
  #started = this.#start();
  readonly #worker = testNode({
    database: this.readModel.d1,
    network: "private",
    variables: { DEV_CHAIN: DEV_CHAIN_ON, API_KEY_HASH: this.settings.node.apiKeyHash },
    target: {
      call: (part, method, args) => {
        const { node, owner, dev } = this.#started;
        const { poolCalls: pool, walletCalls: wallet } = node;
        return answerCall({ pool, node, wallet, owner, dev }, part, method, args);
      },
    },
  });

  get node(): Node {
    return this.#started.node;
  }

  get height(): number {
    return this.node.chain.view.height;
  }

  /** Makes the node anew on what it has stored. */
  restart(): void {
    this.#started = this.#start();
  }

  /** Makes a block, and puts into it what the pool has. */
  async mine(): Promise<void> {
    expect(await this.#started.dev.mine(1, 0)).toMatchObject({ kind: "done" });
  }

  async get(path: string): Promise<Answer> {
    return answerOf(await this.#worker.fetch(path, { headers: { "X-Api-Key": privateNetworkSecrets.apiKey } }));
  }

  async post(path: string, body: unknown): Promise<Answer> {
    const headers = { "X-Api-Key": privateNetworkSecrets.apiKey, "Content-Type": "application/json" };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return answerOf(await this.#worker.fetch(path, { method: "POST", headers, body: text }));
  }

  broadcast(transaction: Transaction): Promise<Answer> {
    return this.post("/transactions/broadcast", jsonText(transactionJson(transaction)));
  }

  #start() {
    const { settings, database, readModel } = this;
    const random = (sizeBytes: number) => this.#random.bytes(sizeBytes);
    const store = new StateStore(database);
    openTables(store, genesisText(settings.blockchain));
    const clock = new DevClock(store, () => this.wallMs);
    const nowMs = () => clock.nowMs();
    const impersonation = new Impersonation(settings, store);
    const node = new Node({
      settings,
      walletSeed: privateNetworkSecrets.walletSeed,
      database,
      readModel: d1Sink(readModel.d1),
      nowMs,
      random,
      wakeAt: async () => {},
      connectedPeers: () => 0,
      exemption: impersonation.exemption,
    });
    const owner = new OwnerCalls({ node, miner: settings.node.miner, nowMs, stop: async () => "untilStart" });
    node.mine(true);
    const usualPace = { automine: false, intervalMs: null };
    const dev = new DevChain({ node, clock, usualPace, random, impersonation });
    return { node, owner, dev };
  }
}

async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}
