/**
 * Likeness of transactions: equality in all but id, time and proofs. On one state the scripts of alike transactions
 * have the same result, unless they read a field in which the transactions differ.
 * @see docs/decisions/0073-budget-of-refused-work.md
 */
import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import { utf8Bytes } from "../../protocol/codec/utf8.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import type { BlockContext } from "./block-context.ts";

/** Fields in which alike transactions differ. Any other field, of any type, is part of the likeness. */
const ownFields: ReadonlySet<string> = new Set(["id", "timestamp", "bodyBytes", "bytes", "proofs", "ethereumBytes"]);

/** Digest of the common content of alike transactions. @param inputs further inputs that decide the result */
export function likenessOf(transaction: Transaction, inputs: readonly (string | number)[]): BytesKey {
  const shared = Object.entries(transaction).filter(([name]) => !ownFields.has(name));
  return bytesKey(blake2b256(utf8Bytes(contentText([shared, inputs]))));
}

/** Injective text of a content: different contents have different texts. */
export function contentText(content: unknown): string {
  if (content instanceof Uint8Array) return `x${content.length}:${bytesKey(content)}`;
  if (typeof content === "string") return JSON.stringify(content);
  if (Array.isArray(content)) return `[${content.map(contentText).join(",")}]`;
  if (typeof content === "object" && content !== null) return `{${contentText(Object.entries(content))}}`;
  return `${typeof content} ${content}`;
}

/** Transaction under execution, which records whether a field was read in which alike transactions differ. */
export class WatchedExecution<T extends Transaction> {
  readonly transaction: T;
  readonly context: BlockContext;
  #hasReadOwn = false;

  constructor(transaction: T, context: BlockContext) {
    const noteRead = (): void => {
      this.#hasReadOwn = true;
    };
    this.transaction = watched(transaction, ownFields, noteRead);
    // In the pool the block's time is the current time.
    this.context = watched(context, new Set(["blockTimestamp"]), noteRead);
  }

  get hasReadOwn(): boolean {
    return this.#hasReadOwn;
  }
}

/** Copy of an object that records each read of the named fields. */
function watched<T extends object>(object: T, names: ReadonlySet<string>, noteRead: () => void): T {
  const copy = { ...object };
  for (const name of Object.keys(object)) {
    if (!names.has(name)) continue;
    const get = (): unknown => {
      noteRead();
      return object[name as keyof T];
    };
    Object.defineProperty(copy, name, { get, enumerable: true });
  }
  return copy;
}
