/**
 * `npm run bench -- dev [--transfers N] [--functions]`: latency of a transfer on a dev chain with a block for each
 * transaction, from the POST to the response of `/transactions/info` that shows it confirmed: one transfer after the
 * other, on a node as `npm start -- --dev --memory` runs it. `--functions` adds a profile of the isolate.
 */
import os from "node:os";
import { parseArgs } from "node:util";
import { findFreePort } from "../../local/runtime/free-port.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { privateNetwork } from "../../src/network/networks/private.ts";
import { jsonText } from "../../src/protocol/json.ts";
import { transactionJson } from "../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { startNode } from "../local-node.ts";
import { Inspector } from "./parts/inspector.ts";
import { LoadClient, type LoadResponse } from "./parts/load-client.ts";
import { nativeAccount } from "./parts/native-signer.ts";
import { percentile } from "./parts/percentile.ts";
import { printProfile } from "./parts/print-profile.ts";
import { printTable } from "./parts/print-table.ts";
import { treeProcessorSeconds } from "./parts/process-tree.ts";
import { richAccount, signedTransaction } from "./parts/signed-transaction.ts";

let timestampMs = Date.now();
/** Transfers before the measurement, while code is compiled and caches are cold. */
const WARM_UP = 100;

const { values: flags } = parseArgs({
  options: { transfers: { type: "string", default: "300" }, functions: { type: "boolean", default: false } },
});
const transfers = Number(flags.transfers);
if (!(transfers > 0)) throw new Error("--transfers expects a number");

const inspectorPort = flags.functions ? await findFreePort("127.0.0.1", 0) : undefined;
const inspect = inspectorPort === undefined ? [] : ["--inspect", String(inspectorPort)];
const started = await startNode(["--dev", "--memory", "--quiet", ...inspect]);
const processorSeconds = () => treeProcessorSeconds(started.process.pid as number);
const node = await started.ready();
try {
  const client = new LoadClient(node.url);
  const latenciesMs = {
    "POST /transactions/broadcast": [],
    "GET /transactions/info/{id}": [],
    both: [],
  } satisfies Record<string, number[]> as Record<string, number[]>;
  const run = async (count: number, isTimed: boolean): Promise<void> => {
    for (let made = 0; made < count; made++) {
      const times = await transfer(client);
      if (isTimed) for (const [name, ms] of Object.entries(times)) latenciesMs[name]?.push(ms);
    }
  };
  await run(WARM_UP, false);
  const inspector = inspectorPort && (await Inspector.connect(inspectorPort, "node"));
  const beforeSeconds = processorSeconds();
  const profile = inspector ? await inspector.profile(() => run(transfers, true)) : void (await run(transfers, true));
  const processorMs = ((processorSeconds() - beforeSeconds) * 1_000) / transfers;
  const shown = (share: number, values: readonly number[]) => percentile(values, share)?.toFixed(1) ?? "";
  printTable([
    [`${transfers} transfers, ms`, "p50", "p90", "p99", "longest"],
    ...Object.entries(latenciesMs).map(([name, values]) => [
      name,
      ...[0.5, 0.9, 0.99, 1].map((share) => shown(share, values)),
    ]),
  ]);
  process.stdout.write(`processor time of the node: ${processorMs.toFixed(1)} ms a transfer\n`);
  process.stdout.write(`load of the machine: ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores\n`);
  if (profile !== undefined) await printProfile(profile);
  client.close();
} finally {
  await node.stop();
}

/** Sends a transfer, then reads it at once. @returns latency by request */
async function transfer(client: LoadClient): Promise<Record<string, number>> {
  const { address } = nativeAccount("recipient", privateNetwork.blockchain.chainId);
  const transaction = signedTransaction(
    richAccount,
    {
      type: TransactionType.Transfer,
      version: 3,
      fee: 100_000n,
      recipient: { kind: "address", address },
      asset: null,
      amount: 1n,
      attachment: new Uint8Array(),
    },
    ++timestampMs,
  );
  const body = jsonText(transactionJson(transaction));
  const startMs = performance.now();
  expectOk(await client.post("/transactions/broadcast", body));
  const sentMs = performance.now();
  const { text } = expectOk(await client.get(`/transactions/info/${encodeBase58(transaction.id)}`));
  const endMs = performance.now();
  if (!text.includes('"height"')) throw new Error(`the transfer is not confirmed: ${text}`);
  return {
    "POST /transactions/broadcast": sentMs - startMs,
    "GET /transactions/info/{id}": endMs - sentMs,
    both: endMs - startMs,
  };
}

function expectOk(response: LoadResponse): LoadResponse {
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return response;
}
