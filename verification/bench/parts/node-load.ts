/** Maximum load from many clients: broadcasts of all kinds and requests of all kinds. */

import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { count, LoadClient, type LoadResponse, newTally, type Tally } from "./load-client.ts";
import type { LoadTransactions } from "./load-transactions.ts";

const writers = 16;
const readers = 8;
/** Limit of stored ids of sent transactions, some of which are read. */
const maxIds = 10_000;

export class NodeLoad {
  readonly #url: string;
  readonly #transactions: LoadTransactions;
  readonly #random = new SeededRandom("questions");
  readonly #sentIds: string[] = [];
  #height = 1;
  /** Results by request. */
  readonly tallies = new Map<string, Tally>();
  readonly #broadcastsPerSecond: number;

  /** @param broadcastsPerSecond limit; 0: none */
  constructor(url: string, made: LoadTransactions, broadcastsPerSecond: number) {
    this.#url = url;
    this.#transactions = made;
    this.#broadcastsPerSecond = broadcastsPerSecond;
  }

  async run(durationMs: number): Promise<void> {
    const endMs = Date.now() + durationMs;
    await Promise.all([
      ...Array.from({ length: writers }, () => this.#until(endMs, (client) => this.#broadcast(client))),
      ...Array.from({ length: readers }, () => this.#until(endMs, (client) => this.#query(client))),
    ]);
  }

  async #until(endMs: number, request: (client: LoadClient) => Promise<void>): Promise<void> {
    const client = new LoadClient(this.#url);
    while (Date.now() < endMs) await request(client);
    client.close();
  }

  async #broadcast(client: LoadClient): Promise<void> {
    const startedMs = performance.now();
    const { json, transaction } = this.#transactions.next();
    await this.#tallied("POST /transactions/broadcast", () => client.post("/transactions/broadcast", json), isPoolFull);
    const index = this.#sentIds.length < maxIds ? this.#sentIds.length : this.#random.below(maxIds);
    this.#sentIds[index] = encodeBase58(transaction.id);
    if (this.#broadcastsPerSecond === 0) return;
    const pauseMs = (writers * 1_000) / this.#broadcastsPerSecond - (performance.now() - startedMs);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }

  async #query(client: LoadClient): Promise<void> {
    const random = this.#random;
    const address = random.pick(this.#transactions.addresses);
    const dApp = random.pick(this.#transactions.dAppAddresses);
    const id = this.#sentIds.length === 0 ? "1".repeat(32) : random.pick(this.#sentIds);
    const paths: Readonly<Record<string, string>> = {
      "/blocks/height": "/blocks/height",
      "/blocks/at/{height}": `/blocks/at/${random.between(Math.max(this.#height - 3, 1), this.#height)}`,
      "/addresses/balance/{address}": `/addresses/balance/${address}`,
      "/transactions/address/{address}/limit/20": `/transactions/address/${address}/limit/20`,
      "/addresses/data/{address}/{key}": `/addresses/data/${dApp}/total`,
      "/transactions/status": `/transactions/status?id=${id}`,
      "/transactions/unconfirmed/size": "/transactions/unconfirmed/size",
    };
    const evaluate = "POST /utils/script/evaluate/{address}";
    const chosen = random.pick([...Object.keys(paths), evaluate]);
    if (chosen === evaluate) {
      const call = JSON.stringify({ call: { function: "total", args: [] } });
      await this.#tallied(chosen, () => client.post(`/utils/script/evaluate/${dApp}`, call));
      return;
    }
    const isAbsent = ({ status }: LoadResponse) => status === 404 && chosen.startsWith("/addresses/data/");
    const { text } = await this.#tallied(`GET ${chosen}`, () => client.get(paths[chosen] as string), isAbsent);
    if (chosen === "/blocks/height") this.#height = Number(/\d+/.exec(text)?.[0] ?? this.#height);
  }

  async #tallied(
    name: string,
    send: () => Promise<LoadResponse>,
    isExpected: (response: LoadResponse) => boolean = () => false,
  ): Promise<LoadResponse> {
    const tally = this.tallies.get(name) ?? newTally();
    this.tallies.set(name, tally);
    const startedMs = performance.now();
    const response = await send();
    count(tally, response, performance.now() - startedMs, isExpected);
    return response;
  }
}

function isPoolFull({ status, text }: LoadResponse): boolean {
  return status === 400 && /Transaction pool .* limit is reached/.test(text);
}
