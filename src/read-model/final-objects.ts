/**
 * Immutable objects as JSON text: in the isolate's memory, then in the data center's cache, then in KV. The publisher
 * writes blocks to KV once they are final; the first reader writes missing ones
 * (docs/decisions/0048-final-objects-in-kv.md).
 */
import { type IsolateMemory, type MemoryRegion, textBytes } from "../platform/isolate-memory.ts";
import { type Chain, type ChainName, isFinal } from "./chain.ts";
import type { LatestState } from "./latest-state.ts";

/** Methods of a KV namespace that are used. */
export type FinalStore = Pick<KVNamespace, "get" | "put">;

/** Methods of Cloudflare's Cache API that are used. */
export type LocalCache = Pick<Cache, "match" | "put">;

/** Continues work after the response is sent. */
type WaitUntil = (work: Promise<unknown>) => void;

/** Maximum age of a known chain row, and so of the epoch in the keys. */
const chainMaxAgeMs = 1000;
/** Lifetime of an unused object in the data center's cache; its key includes the chain. */
const cacheMaxAgeSeconds = 31_536_000;
/** Larger texts are not stored in KV: D1 is as fast for them. */
const storedLimitCharacters = 4 * 2 ** 20;

/** An object in the form of the interface. */
export interface FinalObject {
  /** Distinguishes objects that may ever have the same name: for example the id of the block. */
  readonly tag: string;
  /** JSON. */
  readonly text: string;
}

/** An object and its chain: the newest known chain may have changed by the time it is found. */
export interface FoundObject extends FinalObject {
  readonly chain: Chain;
}

export interface FinalObjectsFacts {
  readonly store: FinalStore;
  /** Undefined: there is none, or it would be no nearer than the store. */
  readonly cache: LocalCache | undefined;
  /** Newest state that readings of D1 have shown. */
  readonly latest: LatestState;
  readonly memory: IsolateMemory;
}

/** Source of an object; undefined: KV did not have it. */
type OnFind = (place: "memory" | "cache" | "kv" | undefined) => void;

export class FinalObjects {
  readonly #facts: FinalObjectsFacts;
  readonly #texts: MemoryRegion<string>;

  constructor(options: FinalObjectsFacts) {
    this.#facts = options;
    this.#texts = options.memory.region("final", textBytes);
  }

  /**
   * Finds a stored object, if the chain was read within the last second. Otherwise the caller queries D1, which returns
   * the object and the chain at once.
   * @param height height of the object, undefined while it is not known
   */
  async find(
    name: string,
    height: number | undefined,
    waitUntil: WaitUntil,
    onFind: OnFind = () => {},
  ): Promise<FoundObject | undefined> {
    const chain = this.#facts.latest.known(chainMaxAgeMs)?.chain;
    // For an unknown height the check is whether the chain has any final block.
    if (chain === undefined || !isFinal(height ?? 1, chain)) return undefined;
    const key = keyOf(name, chain);
    const known = this.#texts.find(key);
    if (known !== undefined) {
      onFind("memory");
      return { ...objectOf(known), chain };
    }
    const cached = await this.#readCached(key);
    const stored = cached ?? (await this.#readStored(key, waitUntil));
    onFind(cached !== undefined ? "cache" : stored !== undefined ? "kv" : undefined);
    if (stored === undefined) return undefined;
    this.#texts.keep(key, stored);
    return { ...objectOf(stored), chain };
  }

  /**
   * Binds callbacks for one request.
   * @param onFind called for each object that was looked for
   * @param onStore called for each object that is written to KV
   */
  for(onFind: OnFind, onStore: () => void): Pick<FinalObjects, "find" | "keep"> {
    return {
      find: (name, height, waitUntil) => this.find(name, height, waitUntil, onFind),
      keep: (name, object, chain, waitUntil) => this.keep(name, object, chain, waitUntil, onStore),
    };
  }

  /** Stores an object that D1 returned with the chain. */
  keep(name: string, object: FinalObject, chain: Chain, waitUntil: WaitUntil, onStore: () => void = () => {}): void {
    const { key, text, isTooLong } = storedObject(name, object, chain);
    this.#texts.keep(key, text);
    if (isTooLong) return;
    onStore();
    waitUntil(this.#writeStored(key, text));
    waitUntil(this.#writeCached(key, text));
  }

  /** Reads from KV; a failing store counts as empty. */
  async #readStored(key: string, waitUntil: WaitUntil): Promise<string | undefined> {
    const text = await this.#facts.store.get(key).catch(() => null);
    if (text === null) return undefined;
    waitUntil(this.#writeCached(key, text));
    return text;
  }

  async #writeStored(key: string, text: string): Promise<void> {
    // KV accepts one write per second and key: a refusal means that another reader was first.
    await this.#facts.store.put(key, text).catch(() => {});
  }

  async #readCached(key: string): Promise<string | undefined> {
    try {
      const cached = await this.#facts.cache?.match(cacheUrl(key));
      return await cached?.text();
    } catch {
      return undefined;
    }
  }

  async #writeCached(key: string, text: string): Promise<void> {
    const response = new Response(text, { headers: { "Cache-Control": `max-age=${cacheMaxAgeSeconds}` } });
    // A failure has no effect: KV has the object.
    await this.#facts.cache?.put(cacheUrl(key), response).catch(() => {});
  }
}

/** Key and text of an object in the store. */
export interface StoredObject {
  readonly key: string;
  readonly text: string;
  /** Whether it is too long to be stored in KV. */
  readonly isTooLong: boolean;
}

/** @param chain chain of the object */
export function storedObject(name: string, { tag, text: json }: FinalObject, chain: ChainName): StoredObject {
  const text = `${tag}\n${json}`;
  return { key: keyOf(name, chain), text, isTooLong: text.length > storedLimitCharacters };
}

/** Splits a stored text: the tag is its first line. */
function objectOf(stored: string): FinalObject {
  const end = stored.indexOf("\n");
  return { tag: stored.slice(0, end), text: stored.slice(end + 1) };
}

/** Returns the key of an object. A new chain or epoch makes all older keys unreachable. */
function keyOf(name: string, { identity, epoch }: ChainName): string {
  return `${identity}/${epoch}/${name}`;
}

/** Returns the key of the data center's cache, which must be a URL; it is never requested. */
function cacheUrl(key: string): string {
  return `https://final-objects.invalid/${encodeURI(key)}`;
}
