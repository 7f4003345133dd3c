/** Times at which a node's blocks become readable to a client that polls without pause. */
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

interface Look {
  readonly atMs: number;
  readonly waitedMs: number;
}

/** Key block seen by a client. */
export interface KeyBlockArrival {
  /** Delay after its timestamp, the earliest time for its generator to forge it, ms. */
  readonly lateMs: number;
  /** Part of the delay in which the runtime was runnable but had no core, ms. */
  readonly waitedMs: number;
}

export class BlockArrivals {
  readonly #client: LoadClient;
  readonly #waitedMs: () => number;
  readonly #looks: Look[] = [];
  readonly #startMs = Date.now();
  #isStopped = false;
  #last: Header | undefined;
  #lastChangeMs = 0;
  readonly #running: Promise<void>;
  readonly keyBlocks: KeyBlockArrival[] = [];
  /** Times between the polls that found new micro-blocks, ms. */
  readonly microBlocksMs: number[] = [];
  /** Transactions of the blocks seen. */
  transactions = 0;
  /** Errors of failed polls. */
  readonly errors: string[] = [];

  /**
   * @param client a connection of its own
   * @param waitedMs total time that the runtime has waited for a core
   */
  constructor(client: LoadClient, waitedMs: () => number) {
    this.#client = client;
    this.#waitedMs = waitedMs;
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
      this.#looks.push({ atMs: Date.now(), waitedMs: this.#waitedMs() });
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
    // A block due before the first poll gives no measurement.
    if (timestamp >= this.#startMs) {
      const due = this.#looks.findLast(({ atMs }) => atMs <= timestamp);
      const waitedMs = due === undefined ? 0 : this.#waitedMs() - due.waitedMs;
      this.keyBlocks.push({ lateMs: nowMs - timestamp, waitedMs });
    }
    this.transactions += transactionCount;
  }

  async #header(path: string): Promise<Header | undefined> {
    const { status, text } = await this.#client.get(path);
    if (status === 200) return headerSchema.parse(JSON.parse(text));
    this.errors.push(`${path}: ${status} ${text.slice(0, 200)}`);
    return undefined;
  }
}
