/** A Worker without workerd: a read model, an empty KV, and a ChainState with results of the test. */

import { dispatchCall } from "../../../durable/chain-state/dispatch-call.ts";
import type {
  ChainCallTarget,
  CheckpointRpc,
  DevRpc,
  Env,
  NodeRpc,
  OwnerRpc,
  PeerCallTarget,
  PeersRpc,
  PoolRpc,
  WalletRpc,
} from "../../../src/env.ts";
import { isNetworkName } from "../../../src/network/named-networks.ts";
import { parseNetwork, parseSecrets, parseSettingsJson } from "../../../src/network/parse-network.ts";
import type { OrderId } from "../../../src/protocol/transactions/order.ts";
import { genesisText } from "../../../src/tables/chain.ts";
import { serve } from "../../../src/worker/serve.ts";
import { testWallet } from "./test-wallet.ts";

export interface TestNode {
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** Values written to KV. */
  readonly stored: Map<string, string>;
  readonly env: Env;
}

const emptyPool: PoolRpc = {
  broadcastAll: async (offers) => offers.map(() => ({ accepted: true, isNew: true })),
  unconfirmedIds: async () => new Uint8Array(),
  someUnconfirmed: async (ids) => ids.map(() => undefined),
  unconfirmedCount: async () => 0,
  findUnconfirmed: async () => undefined,
  areUnconfirmed: async (ids) => ids.map(() => false),
  priorityTransactions: async () => ({ tipId: new Uint8Array(), effects: [] }),
};

const restingNode: NodeRpc = {
  wake: async () => {},
  status: async () => ({ height: 1, tipTimestampMs: 0, isStopped: false, unpublishedMs: 0, unconfirmed: 0 }),
  orderFills: async (ids) => ids.map((id) => ({ orderId: id as OrderId, volume: 0n, fee: 0n })),
};

export const idleOwner: OwnerRpc = {
  activity: async () => ({ height: 1, score: 0n, minerState: "disabled" }),
  miningAccounts: async () => [],
  rollBack: async () => ({ kind: "noBlock" }),
  stop: async () => "untilStart",
};

/** Chain that began with the genesis block. */
const restingCheckpoints: CheckpointRpc = {
  call: async () => ({ kind: "done", height: 1 }),
};

/** See `genesisText`. @param network text of a `network.json` */
export function genesisOfFile(network: string): string {
  return genesisText(parseNetwork(parseSettingsJson(network), "the network of a test").blockchain);
}

export function testNode(facts: {
  readonly database: D1Database;
  readonly network: string;
  readonly chainState?: Partial<PoolRpc>;
  readonly node?: Partial<NodeRpc>;
  /** Default: the wallet of the network file. */
  readonly wallet?: WalletRpc;
  readonly owner?: Partial<OwnerRpc>;
  readonly checkpoint?: CheckpointRpc;
  /** All of ChainState, in place of the services above. */
  readonly target?: ChainCallTarget;
  /** Service of a dev chain, as which the variables mark it. */
  readonly dev?: DevRpc;
  /** Default: the node has no peers. */
  readonly peers?: PeersRpc;
  /** Variables of the Worker. */
  readonly variables?: Partial<Env>;
  readonly stored?: Map<string, string>;
  /** Files of the page; default: none. */
  readonly assets?: (url: string) => Promise<Response>;
}): TestNode {
  const stored = facts.stored ?? new Map<string, string>();
  const store = {
    get: async (key: string) => stored.get(key) ?? null,
    put: async (key: string, text: string) => {
      stored.set(key, text);
    },
  };
  const pool = { ...emptyPool, ...facts.chainState };
  const node = { ...restingNode, ...facts.node };
  const owner = { ...idleOwner, ...facts.owner };
  const { dev, checkpoint = restingCheckpoints } = facts;
  const partsOf = (wallet: WalletRpc): ChainCallTarget => ({
    call: (part, method, args) => dispatchCall({ pool, node, wallet, owner, checkpoint, dev }, part, method, args),
  });
  const chainState = facts.target ?? partsOf(facts.wallet ?? testWallet(facts.network));
  const { peers } = facts;
  // The Worker calls only these methods.
  const env = {
    CHAIN_STATE: { getByName: () => chainState },
    ...(peers && { PEER_HUB: { getByName: () => peerHubOf(peers) }, LISTENS: "127.0.0.1:6868" }),
    DB: facts.database,
    FINAL: store,
    ASSETS: { fetch: facts.assets ?? (async () => new Response(null, { status: 404 })) },
    NETWORK: facts.network,
    // The local runner sets the same.
    API_KEY_HASH: isNetworkName(facts.network) ? undefined : parseSecrets(parseSettingsJson(facts.network)).apiKeyHash,
    ...facts.variables,
  } as unknown as Env;
  const execution = { waitUntil: () => {} } as unknown as ExecutionContext;
  return {
    env,
    stored,
    fetch: (path, init) => serve(new Request(`http://node.test${path}`, init), env, execution),
  };
}

function peerHubOf(peers: PeersRpc): PeerCallTarget {
  const methods = peers as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>;
  return { call: async (method, args) => methods[method]?.(...args) };
}
