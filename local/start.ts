/**
 * Runs a node on this machine: `npm start`, or the package's command. Reads the network's settings, a block file if
 * given, and the state in the data directory; writes that state. `--help` lists the flags.
 */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { RELEASE } from "../src/tables/migrations/release.ts";
import type { ChainLog } from "./chain-log/chain-log.ts";
import { parseStartFlags, type StartFlags } from "./cli/start-flags.ts";
import { startHelp } from "./cli/start-help.ts";
import { refuseSwallowedFlags } from "./cli/swallowed-flags.ts";
import { UsageError } from "./cli/usage-error.ts";
import { BufferedLog } from "./runtime/buffered-log.ts";
import type { DataDirectory } from "./runtime/data-directory.ts";
import type { InstallLayout } from "./runtime/install-layout.ts";
import type { LocalRuntime } from "./runtime/local-runtime.ts";
import type { PeerListener } from "./runtime/peer-listener.ts";
import type { SyncDisplay } from "./runtime/sync-progress.ts";
import type { WakeTimer } from "./runtime/wake-timer.ts";

/** After this many crashes of the runtime in the window, the node gives up. */
const MAX_RUNTIME_CRASHES = 5;
const CRASH_WINDOW_MS = 60_000;

let runtime: LocalRuntime | undefined;
let directory: DataDirectory | undefined;
/** Undefined without P2P. */
let peerListener: PeerListener | undefined;
let awake: WakeTimer | undefined;
/** Sync progress of the node. */
let sync: SyncDisplay | undefined;
const log = new BufferedLog((text) => complain(text));
/** Log of requests and chain events. */
let chainLog: ChainLog | undefined;
let isServing = false;
let isStopping = false;

/** Runs the node until it is stopped. @param args without program and script */
export async function runNode(layout: InstallLayout, args: readonly string[]): Promise<void> {
  // The young generation stays at its initial size: this process mostly waits, and shares the machine with the runtime.
  setFlagsFromString("--semi-space-growth-factor=1");
  log.startBuffering();
  try {
    refuseSwallowedFlags(process.env);
    const flags = parseStartFlags(args, layout);
    if (flags.isHelp) {
      process.stdout.write(startHelp(layout.usage));
    } else if (flags.isVersion) {
      process.stdout.write(`${RELEASE}\n`);
    } else {
      for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const, ["SIGHUP", 129] as const]) {
        process.on(signal, () => void stop(isServing ? 0 : code));
      }
      await start(layout, flags);
    }
  } catch (error) {
    await stopOnError(error);
  }
}

async function start(layout: InstallLayout, flags: StartFlags): Promise<void> {
  const { DEV_CHAIN_ON, publicNetworkOf } = await import("../src/network/dev-settings.ts");
  const { LIGHT_ON } = await import("../src/network/network-of-binding.ts");
  const { chooseNetwork, devChainOf } = await import("./runtime/network-choice.ts");
  const { checkImportFile, importBlocks } = await import("./import/import-blocks.ts");
  const { progressReporter } = await import("./import/progress-reporter.ts");
  const { openDataDirectory } = await import("./runtime/data-directory.ts");
  const { findMissingPeers } = await import("../src/network/missing-peers.ts");
  const { findFreePort } = await import("./runtime/free-port.ts");
  const { findDiskError, findLostState } = await import("./runtime/storage-errors.ts");
  const { startWakeTimer } = await import("./runtime/wake-timer.ts");
  const { collectGarbage } = await import("./runtime/collect-garbage.ts");
  const { checkRestSettings } = await import("./runtime/rest-settings-check.ts");
  const { isKeyKnown, refuseKnownKey } = await import("./runtime/exposure.ts");
  const { readSecrets } = await import("./cli/secrets.ts");

  const fromCaller = (file: string): string => path.resolve(layout.callerFolder, file);
  const directoryOf = (folderName: string): string =>
    flags.dataDirectory === undefined ? path.join(layout.dataFolder, folderName) : fromCaller(flags.dataDirectory);
  const isName = !/[/\\.]/.test(flags.network);
  const networkName = isName ? flags.network : fromCaller(flags.network);
  const fork =
    flags.fork === undefined
      ? undefined
      : await (await import("./runtime/fork-flag.ts")).chooseFork({
          flag: flags.fork,
          network: flags.isNetworkGiven ? networkName : undefined,
          directoryOf: (folderName) => (flags.isInMemory ? undefined : directoryOf(folderName)),
        });
  const chosen = fork?.network ?? (await chooseNetwork(networkName));
  const isOfNetwork =
    flags.importFile !== undefined || flags.checkpointFile !== undefined || flags.exportFile !== undefined;
  const canBeDev = !isOfNetwork && publicNetworkOf(chosen.settings) === undefined;
  const isDevChain = flags.isDevChain ?? canBeDev;
  const showsChain = isDevChain && !flags.isQuiet;
  const network = isDevChain && fork === undefined ? devChainOf(chosen) : chosen;
  const secrets = readSecrets(process.env, flags.secretsFile && fromCaller(flags.secretsFile));
  const ownKeyHash = secrets.API_KEY_HASH;
  const settingsKeyHash = network.settings.node.apiKeyHash;
  const { REST_API = "", REQUEST_LOG = "" } = process.env;
  checkRestSettings({ NETWORK: network.binding, REST_API, REQUEST_LOG });
  const exposure = { host: flags.host, settingsKeyHash, ownKeyHash };
  if (!flags.isKnownKeyAllowed) refuseKnownKey(exposure);
  const importFile = flags.importFile === undefined ? undefined : fromCaller(flags.importFile);
  if (importFile !== undefined) await checkImportFile("import", importFile);
  const snapshotsFile = flags.snapshotsFile === undefined ? undefined : fromCaller(flags.snapshotsFile);
  if (snapshotsFile !== undefined) await checkImportFile("snapshots", snapshotsFile);
  if (!flags.isInMemory) {
    const directoryPath = directoryOf(network.folderName);
    directory = await openDataDirectory(directoryPath, { name: network.settings.name, chain: network.chain });
    if (fork !== undefined) (await import("./runtime/fork-flag.ts")).storeSource(directoryPath, fork.source);
    const lost = findLostState(directory.path);
    if (lost !== undefined) throw new UsageError(lost);
  }
  // Only checked here, taken when the node listens: another program could take a free port in between.
  await findFreePort(flags.host, flags.port);
  const inspectorPort = flags.inspectorPort && (await findFreePort("127.0.0.1", flags.inspectorPort));

  const peers =
    !isDevChain &&
    (await (
      await import("./runtime/peer-choice.ts")
    ).choosePeers({
      flags,
      network,
      peersVariable: process.env["PEERS"],
      onConnection: async (peer) => {
        if (!isServing) throw new Error("the node is about to start");
        await runtime?.peers.accept(peer);
      },
      warn: (message) => process.stderr.write(`${message}\n`),
    }));
  if (peers) peerListener = peers.listener;

  const { startRuntime } = await import("./runtime/local-runtime.ts");
  let crashTimesMs: number[] = [];
  runtime = await startRuntime({
    artifacts: await layout.artifacts(),
    host: flags.host,
    port: flags.port,
    storagePath: directory?.storagePath,
    inspectorPort,
    isKeyKnown: isKeyKnown(exposure),
    bindings: {
      NETWORK: network.binding,
      ...(isDevChain && { DEV_CHAIN: DEV_CHAIN_ON }),
      ...(fork && { FORK: JSON.stringify(fork.source) }),
      WAITS_FOR_RUNNER: randomUUID(),
      API_KEY_HASH: ownKeyHash ?? settingsKeyHash,
      WALLET_SEED: secrets.WALLET_SEED ?? network.walletSeed ?? "",
      REST_API,
      REQUEST_LOG,
      ...((flags.isLight || process.env["LIGHT"] === LIGHT_ON) && { LIGHT: LIGHT_ON }),
      ...(peers ? peers.bindings : {}),
    },
    forkUrl: fork?.source.url,
    onRequest: (line) => {
      sync?.clear();
      process.stdout.write(`${line}\n`);
    },
    ...(showsChain && {
      onCompleted: (request) => chainLog?.requestCompleted(request),
      onPublished: () => chainLog?.changed(),
    }),
    onLog: (text) => {
      awake?.expedite();
      log.add(text);
    },
    onStop: () => {
      process.stderr.write("The node ends: its owner has stopped it.\n");
      void stop(0);
    },
    onProcess: (pid) => directory?.recordRuntime(pid),
    onRestart: async () => {
      const nowMs = performance.now();
      crashTimesMs = [...crashTimesMs.filter((timeMs) => nowMs - timeMs < CRASH_WINDOW_MS), nowMs];
      if (crashTimesMs.length > MAX_RUNTIME_CRASHES) {
        await stopOnError(new Error(`the runtime crashed ${crashTimesMs.length} times within a minute`));
      }
      // The start options are stored in the state; if this call fails, for example on a full disk, the next alarm uses
      // them.
      if (isServing) await runtime?.chain.start({ mining: flags.isMining }).catch(() => {});
      if (isServing && peerListener) await runtime?.peers.start().catch(() => {});
    },
  });
  // The first call opens the state: it creates or migrates the tables, or refuses.
  await runtime.chain.status();
  directory?.recordSchema();

  const { beginWithCheckpoint, endWithCheckpoint } = await import("./checkpoint/start-checkpoints.ts");
  await beginWithCheckpoint(runtime.chain, {
    file: flags.checkpointFile && fromCaller(flags.checkpointFile),
    digest: flags.checkpointDigest,
    reporter: progressReporter(),
  });
  if (importFile !== undefined) {
    log.release();
    const reporter = progressReporter();
    const { progressLine } = await import("./import/progress.ts");
    const result = await importBlocks(runtime.chain, {
      file: importFile,
      snapshotsFile,
      toHeight: flags.importToHeight,
      report: (progress) => reporter.report(() => progressLine(progress), progress),
      chainId: network.settings.blockchain.chainId,
    });
    reporter.end();
    const seconds = (result.elapsedMs / 1000).toFixed(2);
    process.stdout.write(`imported ${result.applied} blocks in ${seconds} s\n`);
    if (result.error !== undefined) {
      process.stderr.write(`import stopped: ${result.error}\n`);
      await stop(1);
      return;
    }
  }
  if (flags.exportFile !== undefined) {
    const file = fromCaller(flags.exportFile);
    await endWithCheckpoint(runtime.chain, { file, past: flags.exportedPast, reporter: progressReporter() });
    await stop(0);
    return;
  }
  if (importFile !== undefined || flags.checkpointFile !== undefined) await runtime.renew();
  const { devAccounts, givenAccounts } = await import("./runtime/dev-accounts.ts");
  const accounts = isDevChain ? devAccounts(flags.accounts, network.settings.blockchain.chainId) : [];
  const dev = isDevChain && { pace: flags.miningMode, accounts: givenAccounts(accounts) };
  await runtime.chain.start({ mining: flags.isMining, ...dev });
  if (peerListener !== undefined) await runtime.peers.start();
  const { height, pace } = await runtime.chain.status();
  isServing = true;
  log.release();
  const storagePath = directory?.path;
  awake = startWakeTimer({
    chain: runtime.chain,
    findError: () => (storagePath === undefined ? undefined : findDiskError(storagePath)),
    notify: (message) => complain(`${message}\n`),
    log,
  });
  const missing = peerListener === undefined ? findMissingPeers(network.settings, 0) : undefined;
  if (missing !== undefined) process.stderr.write(`The chain stays at height ${height}: ${missing}.\n`);
  const host = flags.host.includes(":") ? `[${flags.host}]` : flags.host;
  const url = `http://${host}:${runtime.port}`;
  for (const message of fork?.messages ?? []) process.stderr.write(`${message}\n`);
  // Runs last, so that chain lines follow the last line of the banner.
  const showChain = async (): Promise<void> => {
    const { openChainLog } = await import("./chain-log/chain-log.ts");
    if (runtime !== undefined) chainLog = await openChainLog({ isJson: flags.isJson, request: runtime.request });
  };
  if (showsChain && flags.isJson) await showChain();
  const ready = { network: network.settings.name, height };
  process.stdout.write(flags.isJson ? `${JSON.stringify({ event: "ready", url, ...ready })}\n` : readyLine(url, ready));
  if (peerListener?.address !== undefined && !flags.isQuiet)
    process.stdout.write(`other nodes connect to ${peerListener.address}\n`);
  const isPrivate = network.binding === "private" && fork === undefined;
  if ((isPrivate || isDevChain) && !flags.isQuiet && !flags.isJson) {
    const { startupBanner, privateAccounts, readBalances } = await import("./runtime/startup-banner.ts");
    const keyHash = ownKeyHash ?? settingsKeyHash;
    const shown = await readBalances(url, [...(isPrivate ? privateAccounts() : []), ...accounts]);
    if (showsChain) await showChain();
    process.stdout.write(startupBanner({ url, keyHash, accounts: shown, miningMode: pace }));
  }
  if (peerListener !== undefined) {
    const { showSync } = await import("./runtime/sync-progress.ts");
    const { progress } = runtime.peers;
    sync = showSync({ fetchProgress: progress, out: process.stdout, nowMs: () => performance.now() });
  }
  collectGarbage();
}

function complain(text: string): void {
  sync?.clear();
  process.stderr.write(text);
}

function readyLine(url: string, { network, height }: { readonly network: string; readonly height: number }): string {
  return `ready ${url} network=${network} height=${height}\n`;
}

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  awake?.stop();
  sync?.stop();
  if (isServing) log.release();
  chainLog?.flush();
  peerListener?.stop();
  await runtime?.stop();
  directory?.release();
  process.exit(code);
}

async function stopOnError(error: unknown): Promise<void> {
  if (isStopping) return;
  const message = error instanceof UsageError ? error.message : await findStateError();
  if (message === undefined) log.release();
  process.stderr.write(`${message ?? (error as Error).stack}\n`);
  await stop(message === undefined ? 1 : 2);
}

/** Damage of the state on disk, or a full disk, that explains a runtime error. */
async function findStateError(): Promise<string | undefined> {
  if (directory === undefined) return undefined;
  const { findDamage, findDiskError } = await import("./runtime/storage-errors.ts");
  const full = findDiskError(directory.path);
  if (full !== undefined) return `The node cannot start: ${full}. Make room, and start it again.`;
  // The runtime's lock on its databases does not prevent reading.
  return findDamage(directory.path);
}
