/** Starts nodes for tests: the local runtime in a process of its own, everything else in this one. */
import { randomUUID } from "node:crypto";
import { DEV_CHAIN_ON } from "../../src/network/dev-settings.ts";
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { accountBalance, accountsSeed, givenAccounts } from "../runtime/dev-accounts.ts";
import { chooseFork } from "../runtime/fork-flag.ts";
import { type LocalRuntime, startRuntime } from "../runtime/local-runtime.ts";
import { chooseNetwork, devChainOf } from "../runtime/network-choice.ts";
import { makeAccounts } from "./accounts.ts";
import { artifactsHere } from "./artifacts-here.ts";
import type { Amount } from "./dev-client.ts";
import { DevNode } from "./dev-node.ts";
import { DevNodeError } from "./dev-node-error.ts";

export interface NodeOptions {
  /** Number of accounts funded at the start; default 10. */
  readonly accounts?: number;
  /** Balance of each account, wavelets; default 1,000 WAVES. */
  readonly balance?: Amount;
  /** Prefix of the accounts' seeds: `<seed> account 1` is the first. */
  readonly seed?: string;
  /** Gives each transaction a block at once; default true. */
  readonly automine?: boolean;
  /** Time between automatic blocks, ms; default null: off. */
  readonly interval?: number | null;
  /**
   * URL of a node whose network the chain forks, followed by `@height` to fork below the newest block. The accounts
   * have addresses of that network.
   */
  readonly fork?: string;
  /** Loopback port; default 0: any free one. */
  readonly port?: number;
  /** Receives the node's log. Default: discarded. */
  readonly log?: (text: string) => void;
}

const host = "127.0.0.1";
/** A restarted fork fetches everything again. */
const noForkStorage = { network: undefined, directoryOf: () => undefined };

/**
 * Starts a private chain in memory, with chain id `R` and the settings and keys of the private network; or a fork of
 * another network. Each node has a process of its own, which ends with this one, however that ends.
 * @throws DevNodeError the node cannot be started
 */
export async function startNode(options: NodeOptions = {}): Promise<DevNode> {
  const { accounts: count = 10, seed = accountsSeed, automine = true, interval = null } = options;
  const { balance = accountBalance, port = 0, log = () => {} } = options;
  let runtime: LocalRuntime | undefined;
  const stop = once(async () => runtime?.stop());
  try {
    const fork = options.fork === undefined ? undefined : await chooseFork({ flag: options.fork, ...noForkStorage });
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
      // The state is on the disk, so the chain continues from there.
      onRestart: async () => void (await runtime?.chain.start({ mining: true })),
      onStop: () => void stop(),
    });
    const url = `http://${host}:${runtime.port}`;
    const node = new DevNode({ url, apiKey: privateNetworkSecrets.apiKey, accounts, stop });
    const miningMode = { automine, intervalMs: interval };
    await runtime.chain.start({ mining: true, pace: miningMode, accounts: givenAccounts(accounts, balance) });
    return node;
  } catch (error) {
    await stop();
    if (error instanceof DevNodeError) throw error;
    throw new DevNodeError(`The node cannot be started: ${(error as Error).message}`, { cause: error });
  }
}

/** Runs once: tests may stop a node several times. */
function once(run: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= run();
    return done;
  };
}
