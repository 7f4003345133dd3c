/**
 * Objects that can no more change, as JSON text: in the isolate's memory, behind it in the cache of the data centre, behind
 * that in KV. The publisher writes blocks there once they are final, the first reader what is missing
 * (docs/decisions/0048-final-objects-in-kv.md).
 */
import { type IsolateMemory, type MemoryRegion, textBytes } from "../platform/isolate-memory.ts";
import { type Chain, type ChainName, isFinal } from "./chain.ts";
import type { LatestState } from "./latest-state.ts";

/** The part of a KV namespace that this takes. */
export type FinalStore = Pick<KVNamespace, "get" | "put">;

/** The part of Cloudflare's Cache API that this takes. */
export type LocalCache = Pick<Cache, "match" | "put">;

/** Runs work on after the answer is sent. */
type WaitUntil = (work: Promise<unknown>) => void;

/** How long a chain row counts as known: the epoch of the keys may be old by so much. */
const chainMaxAgeMs = 1000;
/** How long the cache of a data centre keeps an object that nobody asks for; its key says which chain it is of. */
const cacheMaxAgeSeconds = 31_536_000;
/** Larger texts are not worth a place in KV: D1 gives them as fast. */
const storedLimitCharacters = 4 * 2 ** 20;

/** An object as the interface prints it. */
export interface FinalObject {
  /** Tells it from every other object that may ever stand under the same name: its block's id, for instance. */
  readonly tag: string;
  /** JSON. */
  readonly text: string;
}

/** An object, and the chain that it is of: the newest that is known may be another one by the time it is found. */
export interface FoundObject extends FinalObject {
  readonly chain: Chain;
}

export interface FinalObjectsFacts {
  readonly store: FinalStore;
  /** undefined: there is none, or it would be no nearer than the store. */
  readonly cache: LocalCache | undefined;
  /** What readings of D1 have shown. */
  readonly latest: LatestState;
  readonly memory: IsolateMemory;
}

/** Where an object was found; undefined: KV was asked, and had none. */
type OnFind = (place: "memory" | "cache" | "kv" | undefined) => void;

export class FinalObjects {
  readonly #facts: FinalObjectsFacts;
  readonly #texts: MemoryRegion<string>;

  constructor(facts: FinalObjectsFacts) {
    this.#facts = facts;
    this.#texts = facts.memory.region("final", textBytes);
  }

  /**
   * The object, if it is kept and the chain was looked at within the last second; otherwise D1 is to be asked, which
   * gives the object and shows the chain in one.
   * @param height of the object, undefined while it is not known
   */
  async find(
    name: string,
    height: number | undefined,
    waitUntil: WaitUntil,
    onFind: OnFind = () => {},
  ): Promise<FoundObject | undefined> {
    const chain = this.#facts.latest.known(chainMaxAgeMs)?.chain;
    // Of an object whose height is not known it is known at least whether any is final.
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
   * The same for one request.
   * @param onFind is told of each object that was looked for
   * @param onStore is told of each that is put into KV
   */
  for(onFind: OnFind, onStore: () => void): Pick<FinalObjects, "find" | "keep"> {
    return {
      find: (name, height, waitUntil) => this.find(name, height, waitUntil, onFind),
      keep: (name, object, chain, waitUntil) => this.keep(name, object, chain, waitUntil, onStore),
    };
  }

  /** Keeps an object that D1 gave with the chain. */
  keep(name: string, object: FinalObject, chain: Chain, waitUntil: WaitUntil, onStore: () => void = () => {}): void {
    const { key, text, isTooLong } = storedObject(name, object, chain);
    this.#texts.keep(key, text);
    if (isTooLong) return;
    onStore();
    waitUntil(this.#writeStored(key, text));
    waitUntil(this.#writeCached(key, text));
  }

  /** A store that fails is a store that has nothing. */
  async #readStored(key: string, waitUntil: WaitUntil): Promise<string | undefined> {
    const text = await this.#facts.store.get(key).catch(() => null);
    if (text === null) return undefined;
    waitUntil(this.#writeCached(key, text));
    return text;
  }

  async #writeStored(key: string, text: string): Promise<void> {
    // KV takes one write a second for a key: where that is refused, another reader was first.
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
    const kept = new Response(text, { headers: { "Cache-Control": `max-age=${cacheMaxAgeSeconds}` } });
    // It may do without: KV has the object.
    await this.#facts.cache?.put(cacheUrl(key), kept).catch(() => {});
  }
}

/** What the store has of an object. */
export interface StoredObject {
  readonly key: string;
  readonly text: string;
  /** It is not worth a place there. */
  readonly isTooLong: boolean;
}

/** @param chain that the object is of */
export function storedObject(name: string, { tag, text: json }: FinalObject, chain: ChainName): StoredObject {
  const text = `${tag}\n${json}`;
  return { key: keyOf(name, chain), text, isTooLong: text.length > storedLimitCharacters };
}

/** The tag is the first line of what is stored. */
function objectOf(stored: string): FinalObject {
  const end = stored.indexOf("\n");
  return { tag: stored.slice(0, end), text: stored.slice(end + 1) };
}

/** Another chain, one that was begun anew, and a new epoch make every older key unreachable. */
function keyOf(name: string, { identity, epoch }: ChainName): string {
  return `${identity}/${epoch}/${name}`;
}

/** The cache has URLs as keys; nobody serves this one. */
function cacheUrl(key: string): string {
  return `https://final-objects.invalid/${encodeURI(key)}`;
}
