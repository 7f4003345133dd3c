/**
 * Follows a chain over its REST interface, for the log: each block and each transaction once, and every rollback. It
 * sends requests only when notified of a change.
 */
import { isJsonObject, type ParsedJson, type ParsedObject } from "../../src/protocol/parse-json.ts";
import type { LogEvent } from "./log-event.ts";
import { transactionSummary } from "./transaction-summary.ts";

export interface FollowerOptions {
  /** Sends a GET request to the node. @throws the node does not respond */
  readonly get: (path: string) => Promise<ParsedJson>;
  readonly onEvent: (event: LogEvent) => void;
  /** Calls back after a delay. */
  readonly later: (run: () => void, milliseconds: number) => void;
}

/** Delay between a change and the poll, which covers all changes in between. */
const PAUSE_MS = 30;
/** Blocks of one request. @source Waves: BlocksApiRoute (MaxBlocksPerRequest) */
const MAX_BLOCKS = 100;
/** Transactions of one request. */
const MAX_TRANSACTIONS = 100;
/** Number of new blocks that are logged one by one; earlier ones are only counted. */
const MAX_REPORTED_BLOCKS = 1_000;
/** Number of consecutive empty blocks that are logged one by one; longer runs are one line. */
const MAX_EMPTY = 3;

/** The last block logged. */
interface Seen {
  readonly height: number;
  /** Does not change while the block grows. */
  readonly timestamp: ParsedJson | undefined;
  readonly transactions: number;
}

export class ChainFollower {
  readonly #options: FollowerOptions;
  #seen: Seen | undefined;
  #isWaiting = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Begins at the current tip; earlier blocks are not logged. */
  async begin(): Promise<void> {
    this.#seen = seenOf(await this.#lastHeader());
  }

  /** Schedules a poll after a change. */
  changed(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#options.later(() => {
      this.#isWaiting = false;
      // A node that does not respond is restarting; a change that follows is logged.
      this.#running = this.#running.then(() => this.#look()).catch(() => {});
    }, PAUSE_MS);
  }

  /** Resolves when all polls so far are logged. */
  settled(): Promise<void> {
    return this.#running;
  }

  async #look(): Promise<void> {
    const header = await this.#lastHeader();
    const tip = seenOf(header);
    const seen = this.#seen;
    if (seen !== undefined && tip.height <= seen.height && !isSame(tip, seen)) {
      this.#options.onEvent({ event: "back", height: tip.height });
      this.#seen = tip;
      return;
    }
    if (seen !== undefined && isSame(tip, seen) && tip.transactions === seen.transactions) return;
    const first = Math.max(seen?.height ?? tip.height, tip.height - MAX_REPORTED_BLOCKS + 1);
    if (seen !== undefined && first > seen.height + 1) {
      this.#options.onEvent({ event: "blocks", areEmpty: false, fromHeight: seen.height + 1, toHeight: first - 1 });
    }
    for (let from = first; from <= tip.height; from += MAX_BLOCKS) {
      const blocks = await this.#options.get(`/blocks/seq/${from}/${Math.min(from + MAX_BLOCKS - 1, tip.height)}`);
      await this.#reportBlocks(objectsOf(blocks));
    }
  }

  async #reportBlocks(blocks: readonly ParsedObject[]): Promise<void> {
    for (let index = 0; index < blocks.length; ) {
      const empty = this.#emptyFrom(blocks, index);
      const [first, last] = [empty.at(0), empty.at(-1)];
      if (first !== undefined && last !== undefined && empty.length > MAX_EMPTY) {
        this.#options.onEvent({ event: "blocks", areEmpty: true, fromHeight: first.height, toHeight: last.height });
        this.#seen = last;
        index += empty.length;
      } else {
        await this.#reportBlock(blocks[index] as ParsedObject);
        index++;
      }
    }
  }

  /** Consecutive blocks without transactions that follow the last block logged. */
  #emptyFrom(blocks: readonly ParsedObject[], index: number): readonly Seen[] {
    const found = blocks.slice(index).map(seenOf);
    const end = found.findIndex(({ transactions }) => transactions > 0);
    const isNext = found[0]?.height === (this.#seen?.height ?? 0) + 1;
    return isNext ? found.slice(0, end < 0 ? found.length : end) : [];
  }

  async #reportBlock(block: ParsedObject): Promise<void> {
    const { onEvent } = this.#options;
    const found = seenOf(block);
    const seen = this.#seen;
    const isKnown = seen !== undefined && isSame(found, seen);
    if (!isKnown) {
      if (seen !== undefined && found.height <= seen.height) onEvent({ event: "back", height: found.height - 1 });
      const generator = String(block["generator"]);
      onEvent({ event: "block", height: found.height, transactions: found.transactions, generator });
    }
    const transactions = objectsOf(block["transactions"]).slice(isKnown ? seen.transactions : 0);
    for (let from = 0; from < transactions.length; from += MAX_TRANSACTIONS) {
      for (const transaction of await this.#infoOf(transactions.slice(from, from + MAX_TRANSACTIONS))) {
        const error = errorOf(transaction);
        onEvent({ event: "transaction", height: found.height, ...transactionSummary(transaction), error });
      }
    }
    this.#seen = found;
  }

  /** Full details of a block's transactions: the block's own list lacks the complexity of scripts and the errors. */
  async #infoOf(transactions: readonly ParsedObject[]): Promise<readonly ParsedObject[]> {
    const ids = transactions.map(({ id }) => `id=${String(id)}`);
    return objectsOf(await this.#options.get(`/transactions/info?${ids.join("&")}`));
  }

  async #lastHeader(): Promise<ParsedObject> {
    const header = await this.#options.get("/blocks/headers/last");
    if (!isJsonObject(header)) throw new TypeError("the node's last header is no object");
    return header;
  }
}

function objectsOf(list: ParsedJson | undefined): readonly ParsedObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Reason for a failed transaction. */
function errorOf({ stateChanges: changes }: ParsedObject): string | undefined {
  const error = isJsonObject(changes) ? changes["error"] : undefined;
  return isJsonObject(error) && typeof error["text"] === "string" ? error["text"] : undefined;
}

function seenOf(header: ParsedObject): Seen {
  return {
    height: Number(header["height"]),
    timestamp: header["timestamp"],
    transactions: Number(header["transactionCount"]),
  };
}

function isSame(left: Seen, right: Seen): boolean {
  return left.height === right.height && left.timestamp === right.timestamp;
}
