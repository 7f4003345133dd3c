/** A dev chain for clients: Worker, object and read model in one process. Blocks are made on request. */
import { expect } from "vitest";
import { dispatchCall } from "../../../durable/chain-state/dispatch-call.ts";
import { OwnerCalls } from "../../../durable/chain-state/owner-calls.ts";
import { DEV_CHAIN_ON } from "../../../src/network/dev-settings.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { SimulatedDevChain } from "./simulated-dev-chain.ts";
import { testNode } from "./test-node.ts";

export interface NodeResponse {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

export class DevNode extends SimulatedDevChain {
  readonly #worker = testNode({
    database: d1Double(this.readModel).d1,
    network: "private",
    variables: { DEV_CHAIN: DEV_CHAIN_ON, API_KEY_HASH: privateNetworkSecrets.apiKeyHash },
    target: {
      call: (part, method, args) => {
        const { node, dev } = this;
        const { poolCalls: pool, walletCalls: wallet } = node;
        const nowMs = () => this.clock.nowMs();
        const owner = new OwnerCalls({ node, miner: this.settings.node.miner, nowMs, stop: async () => "untilStart" });
        return dispatchCall({ pool, node, wallet, owner, dev }, part, method, args);
      },
    },
  });

  constructor() {
    super({ defaultMiningMode: { automine: false, intervalMs: null } });
  }

  /** Makes a block with the transactions of the pool. */
  async mine(): Promise<void> {
    expect(await this.dev.mine(1, 0)).toMatchObject({ kind: "done" });
  }

  async get(path: string): Promise<NodeResponse> {
    return readResponse(await this.#worker.fetch(path, { headers: { "X-Api-Key": privateNetworkSecrets.apiKey } }));
  }

  post(path: string, body: unknown): Promise<NodeResponse> {
    return this.postFrom({ "X-Api-Key": privateNetworkSecrets.apiKey }, path, body);
  }

  /** @param client headers of the client */
  async postFrom(client: Readonly<Record<string, string>>, path: string, body: unknown): Promise<NodeResponse> {
    const headers = { ...client, "Content-Type": "application/json" };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return readResponse(await this.#worker.fetch(path, { method: "POST", headers, body: text }));
  }

  /** Broadcasts it like a client. */
  send(transaction: Transaction): Promise<NodeResponse> {
    return this.post("/transactions/broadcast", jsonText(transactionJson(transaction)));
  }
}

async function readResponse(response: Response): Promise<NodeResponse> {
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}
