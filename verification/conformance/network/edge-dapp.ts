/** Calls of one dApp, sent one by one to the forging node; their results are then compared on all nodes. */
import { setTimeout as pause } from "node:timers/promises";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { sign } from "../../../src/crypto/curve25519.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type {
  AuthorizedTransaction,
  FunctionCall,
  Transaction,
  TransactionFields,
} from "../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import type { GeneratedAccount } from "../../chain-generator/generated-accounts.ts";
import { findDifference } from "../../json-difference.ts";
import { patientFetch } from "../patient-fetch.ts";
import { differencesTo, waitForAgreement, waitUntil } from "./agreement.ts";
import type { NetworkNode } from "./network-node.ts";
import { NodeGroup } from "./node-group.ts";
import { heightOf, readText } from "./read-chain.ts";
import { refusalsIn } from "./refusals.ts";
import type { Stage } from "./scenario.ts";
import {
  firstBusyHeight,
  makeShortNetwork,
  type NodeKind,
  type ShortNetwork,
  type ShortNetworkOptions,
} from "./short-network.ts";

const timeoutMs = 180_000;
/** Blocks on top of the last call before responses are compared. */
const confirmations = 3;
const callFee = 900_000n;

export type EdgeMiner = Exclude<NodeKind, "go">;

export class EdgeDApp {
  readonly network: ShortNetwork;
  readonly miner: EdgeMiner;
  readonly #group: NodeGroup;
  readonly #stage: Stage;
  readonly #ids: string[] = [];
  #sent = 0;

  private constructor(stage: Stage, group: NodeGroup, { network, miner }: { network: ShortNetwork; miner: EdgeMiner }) {
    this.#stage = stage;
    this.#group = group;
    this.network = network;
    this.miner = miner;
  }

  /**
   * Starts two nodes: one forges, the other follows.
   * @param source of the dApp
   * @param miner by default the reference
   */
  static async started(
    stage: Stage,
    source: string,
    { miner = "reference", ...options }: ShortNetworkOptions & { readonly miner?: EdgeMiner } = {},
  ): Promise<EdgeDApp> {
    const { seed, programs, folder } = stage;
    const network = makeShortNetwork(seed, Date.now(), options);
    const members = (["reference", "ours"] as const).map((kind) => ({ kind, isMining: kind === miner }));
    const group = await NodeGroup.started({ programs, network, folder, members });
    const dApp = new EdgeDApp(stage, group, { network, miner });
    try {
      await waitUntil("the chain begins", timeoutMs, async () => (await heightOf(dApp.#url)) >= firstBusyHeight);
      let compiled: ParsedObject = {};
      // On a busy machine the reference sometimes gives up.
      await waitUntil("the script is compiled", timeoutMs, async () => {
        compiled = await dApp.#post("/utils/script/compileCode", "text/plain", source);
        return true;
      });
      const script = Buffer.from(String(compiled["script"]).replace("base64:", ""), "base64");
      const id = await dApp.send({ type: TransactionType.SetScript, version: 2, fee: 10_000_000n, script }, dApp.owner);
      await dApp.#confirmed(id);
      return dApp;
    } catch (error) {
      await dApp.stop();
      throw error;
    }
  }

  get owner(): GeneratedAccount {
    return this.user(0);
  }

  user(index: number): GeneratedAccount {
    const { users } = this.network.accounts;
    return users[index % users.length] as GeneratedAccount;
  }

  get nodes(): readonly NetworkNode[] {
    return this.#group.nodes;
  }

  /** The forging node. */
  get node(): NetworkNode {
    return this.#group.node(this.miner);
  }

  get #url(): string {
    return this.node.url;
  }

  /** Sends a transaction and pauses for a random time: the next one comes in the same micro-block or in a later one. */
  async send(fields: object, account: GeneratedAccount): Promise<string> {
    const signed = this.signed(fields, account);
    await this.#post("/transactions/broadcast", "application/json", jsonText(transactionJson(signed)));
    await pause(this.#stage.random.between(0, 1_500));
    return encodeBase58(signed.id);
  }

  /** A signed transaction with the present time and a unique id, which is not sent. */
  signed(fields: object, account: GeneratedAccount): Transaction {
    const timestamp = BigInt(Date.now() + this.#sent++);
    const common = { chainId: this.network.settings.blockchain.chainId, sender: account.publicKey, feeAsset: null };
    const unsigned = buildTransaction({ ...common, timestamp, proofs: [], ...fields } as unknown as TransactionFields);
    const { bodyBytes } = unsigned as AuthorizedTransaction;
    const proofs = [sign(account.privateKey, bodyBytes, this.#stage.random.bytes(64))];
    return buildTransaction({ ...unsigned, proofs } as unknown as TransactionFields);
  }

  /** A signed call that is not sent. */
  signedCall(name: string, args: FunctionCall["args"], account = this.user(1)): Transaction {
    return this.signed(this.#callOf(name, args), account);
  }

  /** @returns whether the node accepted the call */
  async call(name: string, args: FunctionCall["args"] = [], account = this.user(1)): Promise<boolean> {
    try {
      this.#ids.push(await this.send(this.#callOf(name, args), account));
      return true;
    } catch (error) {
      if (error instanceof NotAccepted) return false;
      throw error;
    }
  }

  /** Adds calls that another generator put into a block: they are compared with the sent ones. */
  addCalls(calls: readonly Transaction[]): void {
    this.#ids.push(...calls.map(({ id }) => encodeBase58(id)));
  }

  #callOf(name: string, args: FunctionCall["args"]): object {
    const dApp = { kind: "address", address: this.owner.address };
    const call = { function: name, args };
    return { type: TransactionType.InvokeScript, version: 2, fee: callFee, payments: [], dApp, call };
  }

  /** Waits until the blocks with the accepted calls are closed. */
  async nextBlock(): Promise<void> {
    for (const id of this.#ids) await this.#confirmed(id);
    const height = await heightOf(this.#url);
    await waitUntil("the next block", timeoutMs, async () => (await heightOf(this.#url)) > height);
  }

  /** Restarts the reference once no accepted call can get lost with its liquid block. */
  async restartReference(): Promise<void> {
    for (const id of this.#ids) await this.#confirmed(id);
    await waitForAgreement(this.#group.nodes, (await heightOf(this.#url)) + confirmations, timeoutMs);
    const reference = this.#group.node("reference");
    await reference.stop();
    await reference.start();
    await waitForAgreement(this.#group.nodes, (await heightOf(this.#url)) + confirmations, timeoutMs);
  }

  /** Differences between the nodes, and their refusals of blocks and peers. */
  async findDifferences(): Promise<string[]> {
    return [...(await this.findNodeDifferences()), ...(await refusalsIn(this.nodes))];
  }

  /**
   * Waits until all accepted calls are confirmed everywhere, then compares.
   * @returns results that differ between the nodes
   */
  async findNodeDifferences(): Promise<string[]> {
    const { nodes } = this.#group;
    for (const id of this.#ids) await this.#confirmed(id);
    const height = await waitForAgreement(nodes, (await heightOf(this.#url)) + confirmations, timeoutMs);
    const found = await differencesTo(nodes, height);
    const statuses = new Map<string, number>();
    for (const id of this.#ids) {
      const [first = null, second = null] = await Promise.all(
        nodes.map(async ({ url }) => parseJson(await readText(`${url}/transactions/info/${id}`))),
      );
      const difference = findDifference(first, second, new Set());
      if (difference !== undefined) found.push(`${id} is answered in two ways: ${difference}`);
      const status = String((first as ParsedObject)["applicationStatus"]);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const counts = Array.from(statuses, ([status, count]) => `${count} ${status}`).join(", ");
    this.#stage.log(`  ${this.#ids.length} calls (${counts}), agreed to ${height}`);
    return found;
  }

  async stop(): Promise<void> {
    await this.#group.stop();
  }

  async #confirmed(id: string): Promise<void> {
    await waitUntil(`${id} is confirmed`, timeoutMs, async () => {
      const response = await fetch(`${this.#url}/transactions/info/${id}`);
      return response.ok;
    });
  }

  async #post(path: string, type: string, body: string): Promise<ParsedObject> {
    const request = { method: "POST", headers: { "Content-Type": type }, body };
    const { ok, status, text } = await patientFetch(this.#url + path, request);
    if (!ok) throw new NotAccepted(`POST ${path}: ${status} ${text}`);
    return parseJson(text) as ParsedObject;
  }
}

/** Thrown when the node rejects the transaction. */
class NotAccepted extends Error {
  override readonly name = "NotAccepted";
}
