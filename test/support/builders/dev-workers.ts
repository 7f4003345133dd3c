/** A dev chain, and Workers of several isolates that read the same databases. */
import { dispatchCall } from "../../../durable/chain-state/dispatch-call.ts";
import { DEV_CHAIN_ON } from "../../../src/network/dev-settings.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { SimulatedDevChain } from "./simulated-dev-chain.ts";
import { idleOwner, type TestNode, testNode } from "./test-node.ts";

/** Headers of the owner's requests. */
export const ownerHeaders = { "X-API-Key": privateNetworkSecrets.apiKey } as const;

export class DevWorkers extends SimulatedDevChain {
  readonly #stored = new Map<string, string>();
  /** The first Worker. */
  readonly first = this.worker();

  /** Another one, in an isolate of its own. */
  worker(): TestNode {
    return testNode({
      database: d1Double(this.readModel).d1,
      network: "private",
      stored: this.#stored,
      variables: { DEV_CHAIN: DEV_CHAIN_ON, API_KEY_HASH: this.settings.node.apiKeyHash },
      target: {
        call: (part, method, args) => {
          const { node, dev } = this;
          const { poolCalls: pool, walletCalls: wallet } = node;
          return dispatchCall({ pool, node, wallet, owner: idleOwner, dev }, part, method, args);
        },
      },
    });
  }

  /** Sends a request of the owner. @returns status and JSON */
  async request(path: string, body?: unknown): Promise<{ readonly status: number; readonly json: unknown }> {
    const headers = { ...ownerHeaders, "Content-Type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const response = await this.first.fetch(path, init);
    return { status: response.status, json: await response.json() };
  }
}

/** Starts on an empty state. @param onBatch called before and after each batch of the read model */
export async function devWorkers(onBatch?: () => Promise<void>): Promise<DevWorkers> {
  const chain = new DevWorkers({ wallMs: Date.now(), ...(onBatch && { onBatch }) });
  await chain.dev.start({});
  return chain;
}
