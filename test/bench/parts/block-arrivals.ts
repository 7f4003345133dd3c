/** When blocks of a node become readable, by a client that looks all the time. */
import { z } from "zod";
import type { LoadClient } from "./load-client.ts";

const lookIntervalMs = 20;

const headerSchema = z.object({
  height: z.number(),
  id: z.string(),
  timestamp: z.number(),
  transactionCount: z.number(),
});
type Header = z.infer<typeof headerSchema>;

export class BlockArrivals {
  readonly #client: LoadClient;
  readonly #startMs = Date.now();
  #isStopped = false;
  #last: Header | undefined;
  #lastChangeMs = 0;
  readonly #running: Promise<void>;
  /** How much later than its timestamp, which is the earliest that it may have, each key block was seen, ms. */
  readonly keyBlocksMs: number[] = [];
  /** From one look at which the tip was another to the next, where a micro-block came, ms. */
  readonly microBlocksMs: number[] = [];
  /** Transactions of the blocks that were seen. */
  transactions = 0;
  /** Looks that failed. */
  readonly errors: string[] = [];

  /** @param client a connection of its own */
  constructor(client: LoadClient) {
    this.#client = client;
    this.#running = this.#look();
  }

  get height(): number {
    return this.#last?.height ?? 0;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #look(): Promise<void> {
    while (!this.#isStopped) {
      const header = await this.#header("/blocks/headers/last");
      if (header !== undefined) await this.#seen(header);
      await new Promise((resolve) => setTimeout(resolve, lookIntervalMs));
    }
  }

  async #seen(header: Header): Promise<void> {
    const last = this.#last;
    if (header.id === last?.id) return;
    const nowMs = Date.now();
    if (last !== undefined && header.height > last.height) {
      for (let height = last.height + 1; height < header.height; height++) {
        const missed = await this.#header(`/blocks/headers/at/${height}`);
        if (missed !== undefined) this.#keyBlock(missed, nowMs);
      }
      this.#keyBlock(header, nowMs);
    } else if (last !== undefined && header.height === last.height) {
      this.microBlocksMs.push(nowMs - this.#lastChangeMs);
      this.transactions += header.transactionCount - last.transactionCount;
    }
    this.#last = header;
    this.#lastChangeMs = nowMs;
  }

  #keyBlock({ timestamp, transactionCount }: Header, nowMs: number): void {
    // One that was due before anybody looked says nothing.
    if (timestamp >= this.#startMs) this.keyBlocksMs.push(nowMs - timestamp);
    this.transactions += transactionCount;
  }

  async #header(path: string): Promise<Header | undefined> {
    const { status, text } = await this.#client.get(path);
    if (status === 200) return headerSchema.parse(JSON.parse(text));
    this.errors.push(`${path}: ${status} ${text.slice(0, 200)}`);
    return undefined;
  }
}
