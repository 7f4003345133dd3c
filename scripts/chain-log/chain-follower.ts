/**
 * Follows a chain by its REST interface, for the log: each block and each transaction once, and where the chain was taken back.
 * It asks only when it is told that something has changed.
 */
import { isJsonObject, type ParsedJson, type ParsedObject } from "../../src/protocol/parse-json.ts";
import type { LogEvent } from "./log-event.ts";
import { transactionSummary } from "./transaction-summary.ts";

export interface FollowerFacts {
  /** Asks the node. @throws where it does not answer */
  readonly get: (path: string) => Promise<ParsedJson>;
  readonly tell: (event: LogEvent) => void;
  /** Calls back after a while. */
  readonly later: (run: () => void, milliseconds: number) => void;
}

/** Between a change and the look at it: whatever else changes meanwhile is looked at with it. */
const PAUSE_MS = 30;
/** Blocks of one request. @source Waves: BlocksApiRoute (MaxBlocksPerRequest) */
const MAX_BLOCKS = 100;
/** Transactions of one request. */
const MAX_TRANSACTIONS = 100;
/** Of more new blocks than this, the earlier ones are only counted. */
const MAX_TOLD = 1_000;
/** More empty blocks than this in a row are told of together. */
const MAX_EMPTY = 3;

/** The last block that was told of. */
interface Seen {
  readonly height: number;
  /** Stays the same while the block grows. */
  readonly timestamp: ParsedJson | undefined;
  readonly transactions: number;
}

export class ChainFollower {
  readonly #facts: FollowerFacts;
  #seen: Seen | undefined;
  #isWaiting = false;
  #running: Promise<void> = Promise.resolve();

  constructor(facts: FollowerFacts) {
    this.#facts = facts;
  }

  /** Begins where the chain is: what is there is not told of. */
  async begin(): Promise<void> {
    this.#seen = seenOf(await this.#lastHeader());
  }

  /** Something has changed. */
  changed(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#facts.later(() => {
      this.#isWaiting = false;
      // A node that does not answer is just being started again; the change that follows is told of.
      this.#running = this.#running.then(() => this.#look()).catch(() => {});
    }, PAUSE_MS);
  }

  /** Resolves when all is told that was looked for. */
  settled(): Promise<void> {
    return this.#running;
  }

  async #look(): Promise<void> {
    const header = await this.#lastHeader();
    const tip = seenOf(header);
    const seen = this.#seen;
    if (seen !== undefined && tip.height <= seen.height && !isSame(tip, seen)) {
      this.#facts.tell({ event: "back", height: tip.height });
      this.#seen = tip;
      return;
    }
    if (seen !== undefined && isSame(tip, seen) && tip.transactions === seen.transactions) return;
    const first = Math.max(seen?.height ?? tip.height, tip.height - MAX_TOLD + 1);
    if (seen !== undefined && first > seen.height + 1) {
      this.#facts.tell({ event: "blocks", areEmpty: false, fromHeight: seen.height + 1, toHeight: first - 1 });
    }
    for (let from = first; from <= tip.height; from += MAX_BLOCKS) {
      const blocks = await this.#facts.get(`/blocks/seq/${from}/${Math.min(from + MAX_BLOCKS - 1, tip.height)}`);
      await this.#tellOfAll(objectsOf(blocks));
    }
  }

  async #tellOfAll(blocks: readonly ParsedObject[]): Promise<void> {
    for (let index = 0; index < blocks.length; ) {
      const empty = this.#emptyFrom(blocks, index);
      const [first, last] = [empty.at(0), empty.at(-1)];
      if (first !== undefined && last !== undefined && empty.length > MAX_EMPTY) {
        this.#facts.tell({ event: "blocks", areEmpty: true, fromHeight: first.height, toHeight: last.height });
        this.#seen = last;
        index += empty.length;
      } else {
        await this.#tellOf(blocks[index] as ParsedObject);
        index++;
      }
    }
  }

  /** Blocks without transactions that follow each other, and follow what was told of. */
  #emptyFrom(blocks: readonly ParsedObject[], index: number): readonly Seen[] {
    const found = blocks.slice(index).map(seenOf);
    const end = found.findIndex(({ transactions }) => transactions > 0);
    const isNext = found[0]?.height === (this.#seen?.height ?? 0) + 1;
    return isNext ? found.slice(0, end < 0 ? found.length : end) : [];
  }

  async #tellOf(block: ParsedObject): Promise<void> {
    const { tell } = this.#facts;
    const found = seenOf(block);
    const seen = this.#seen;
    const isKnown = seen !== undefined && isSame(found, seen);
    if (!isKnown) {
      if (seen !== undefined && found.height <= seen.height) tell({ event: "back", height: found.height - 1 });
      const generator = String(block["generator"]);
      tell({ event: "block", height: found.height, transactions: found.transactions, generator });
    }
    const transactions = objectsOf(block["transactions"]).slice(isKnown ? seen.transactions : 0);
    for (let from = 0; from < transactions.length; from += MAX_TRANSACTIONS) {
      for (const transaction of await this.#infoOf(transactions.slice(from, from + MAX_TRANSACTIONS))) {
        const error = errorOf(transaction);
        tell({ event: "transaction", height: found.height, ...transactionSummary(transaction), error });
      }
    }
    this.#seen = found;
  }

  /** All that is known of transactions of a block: what scripts took, and why they failed, is not in its own list. */
  async #infoOf(transactions: readonly ParsedObject[]): Promise<readonly ParsedObject[]> {
    const ids = transactions.map(({ id }) => `id=${String(id)}`);
    return objectsOf(await this.#facts.get(`/transactions/info?${ids.join("&")}`));
  }

  async #lastHeader(): Promise<ParsedObject> {
    const header = await this.#facts.get("/blocks/headers/last");
    if (!isJsonObject(header)) throw new TypeError("the node's last header is no object");
    return header;
  }
}

function objectsOf(list: ParsedJson | undefined): readonly ParsedObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Why a transaction failed. */
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
