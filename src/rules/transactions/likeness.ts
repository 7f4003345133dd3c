/**
 * Transactions that ask for the same: alike in all but id, time and proofs. On one state their scripts come to the same end, unless
 * they read where the transactions differ.
 * @see docs/decisions/0073-budget-of-refused-work.md
 */
import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import { utf8Bytes } from "../../protocol/codec/utf8.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import type { BlockContext } from "./block-context.ts";

/** Fields by which transactions that ask for the same differ. Any other field, of any type, is part of the likeness. */
const ownFields: ReadonlySet<string> = new Set(["id", "timestamp", "bodyBytes", "bytes", "proofs", "ethereumBytes"]);

/** Digest of all that transactions which ask for the same have in common. @param judged what else decides how they end */
export function likenessOf(transaction: Transaction, judged: readonly (string | number)[]): BytesKey {
  const shared = Object.entries(transaction).filter(([name]) => !ownFields.has(name));
  return bytesKey(blake2b256(utf8Bytes(contentText([shared, judged]))));
}

/** Text that no other content has. */
export function contentText(content: unknown): string {
  if (content instanceof Uint8Array) return `x${content.length}:${bytesKey(content)}`;
  if (typeof content === "string") return JSON.stringify(content);
  if (Array.isArray(content)) return `[${content.map(contentText).join(",")}]`;
  if (typeof content === "object" && content !== null) return `{${contentText(Object.entries(content))}}`;
  return `${typeof content} ${content}`;
}

/** A transaction while it is judged, and whether anything was read that one which asks for the same would have otherwise. */
export class WatchedJudging<T extends Transaction> {
  readonly transaction: T;
  readonly context: BlockContext;
  #hasReadOwn = false;

  constructor(transaction: T, context: BlockContext) {
    const noteRead = (): void => {
      this.#hasReadOwn = true;
    };
    this.transaction = watched(transaction, ownFields, noteRead);
    // In the pool it is the time now.
    this.context = watched(context, new Set(["blockTimestamp"]), noteRead);
  }

  get hasReadOwn(): boolean {
    return this.#hasReadOwn;
  }
}

/** The same fields; each read of one that is named is noted. */
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
