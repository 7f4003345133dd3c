/** Starts nodes for tests: the local runtime in a process of its own, everything else in this one. */
import { randomUUID } from "node:crypto";
import { accountBalance, accountsSeed, givenAccounts } from "../scripts/runner/dev-accounts.ts";
import { chooseFork } from "../scripts/runner/fork-choice.ts";
import { type LocalRuntime, startRuntime } from "../scripts/runner/local-runtime.ts";
import { chooseNetwork, devChainOf } from "../scripts/runner/network-choice.ts";
import { DEV_CHAIN_ON } from "../src/network/dev-settings.ts";
import { privateNetworkSecrets } from "../src/network/networks/private.ts";
import { makeAccounts } from "./accounts.ts";
import { artifactsHere } from "./artifacts-here.ts";
import type { Amount } from "./dev-client.ts";
import { DevNode } from "./dev-node.ts";
import { DevNodeError } from "./dev-node-error.ts";

export interface NodeOptions {
  /** How many accounts have WAVES from the start; 10 by default. */
  readonly accounts?: number;
  /** What each of them has, in wavelets; 1,000 WAVES by default. */
  readonly balance?: Amount;
  /** The accounts' seeds follow from it: `<seed> account 1` is the first. */
  readonly seed?: string;
  /** Whether each transaction gets a block at once; true by default. */
  readonly automine?: boolean;
  /** Between two blocks that come by themselves, ms; null, by default: none do. */
  readonly interval?: number | null;
  /**
   * URL of a node whose network the chain goes on from, with `@height` behind it where it is not to be the newest block. The accounts
   * have addresses of that network.
   */
  readonly fork?: string;
  /** On which it listens, on this machine alone; 0, by default: any free one. */
  readonly port?: number;
  /** Is given what the node writes to its log. By default nobody is. */
  readonly log?: (text: string) => void;
}

const host = "127.0.0.1";
/** A fork that is started again asks again. */
const nothingKept = { network: undefined, placeOf: () => undefined };

/**
 * Starts a private chain in memory: chain id `R`, the settings and the keys of the private network; or a fork of another one. Each
 * has a process of its own, which ends with this one, however it ends.
 * @throws DevNodeError where it cannot be started
 */
export async function startNode(options: NodeOptions = {}): Promise<DevNode> {
  const { accounts: count = 10, seed = accountsSeed, automine = true, interval = null } = options;
  const { balance = accountBalance, port = 0, log = () => {} } = options;
  let runtime: LocalRuntime | undefined;
  const stop = once(async () => runtime?.stop());
  try {
    const fork = options.fork === undefined ? undefined : await chooseFork({ flag: options.fork, ...nothingKept });
    const network = fork?.network ?? devChainOf(await chooseNetwork("private"));
    const accounts = makeAccounts(seed, count, network.settings.blockchain.chainId);
    runtime = await startRuntime({
      artifacts: artifactsHere(),
      ...{ host, port, storagePath: undefined, isKeyKnown: true },
      bindings: {
        NETWORK: network.binding,
        DEV_CHAIN: DEV_CHAIN_ON,
        WAITS_FOR_RUNNER: randomUUID(),
        ...(fork && { FORK: JSON.stringify(fork.source) }),
        API_KEY_HASH: privateNetworkSecrets.apiKeyHash,
        WALLET_SEED: network.walletSeed ?? "",
      },
      forkUrl: fork?.source.url,
      onLog: log,
      onProcess: () => {},
      // Its state is on the disk: it goes on where it was.
      onRestart: async () => void (await runtime?.chain.start({ mining: true })),
      onStop: () => void stop(),
    });
    const url = `http://${host}:${runtime.port}`;
    const node = new DevNode({ url, apiKey: privateNetworkSecrets.apiKey, accounts, stop });
    const pace = { automine, intervalMs: interval };
    await runtime.chain.start({ mining: true, pace, accounts: givenAccounts(accounts, balance) });
    return node;
  } catch (error) {
    await stop();
    if (error instanceof DevNodeError) throw error;
    throw new DevNodeError(`The node cannot be started: ${(error as Error).message}`, { cause: error });
  }
}

/** Tests stop a node where they will, more than once. */
function once(run: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= run();
    return done;
  };
}
