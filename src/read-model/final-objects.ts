/**
 * Immutable objects as JSON text: in the isolate's memory, then in the data center's cache, then in KV. The publisher
 * writes blocks to KV once they are final; the second reader writes missing ones: a write costs more than everything
 * else that a reader can cause (docs/decisions/0048-final-objects-in-kv.md).
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
/** Time that KV keeps an object that a reader has caused, seconds. */
const storedAgeSeconds = 30 * 86_400;
/** Header of a cached response with the host of its first reader; without it KV has the object. */
const firstReaderHeader = "X-First-Reader";
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

export interface FinalObjectsOptions {
  readonly store: FinalStore;
  /** Undefined: there is none, or it would be no nearer than the store. */
  readonly cache: LocalCache | undefined;
  /** Newest state that readings of D1 have shown. */
  readonly latest: LatestState;
  readonly memory: IsolateMemory;
}

/** A request that reads objects. */
export interface FinalReading {
  /** Name of the client's host: KV gets an object after two hosts have read it. */
  readonly reader: string;
  readonly waitUntil: WaitUntil;
  /** Called with the source of each object that was looked for; undefined: KV did not have it. */
  readonly onFind?: (place: "memory" | "cache" | "kv" | undefined) => void;
  /** Called for each object that is written to KV. */
  readonly onStore?: () => void;
  /** Called for each object that KV gets once another host reads it: a cache in front would hide that reading. */
  readonly onWait?: () => void;
}

/** An object in memory. */
interface HeldText {
  /** Text as it is stored. */
  readonly text: string;
  /** Host of its first reader in the data center; undefined: KV has it, or never gets it. */
  readonly firstReader: string | undefined;
}

export class FinalObjects {
  readonly #options: FinalObjectsOptions;
  readonly #texts: MemoryRegion<HeldText>;

  constructor(options: FinalObjectsOptions) {
    this.#options = options;
    this.#texts = options.memory.region("final", ({ text }) => textBytes(text));
  }

  /**
   * Finds a stored object, if the chain was read within the last second. Otherwise the caller queries D1, which returns
   * the object and the chain at once.
   * @param height height of the object, undefined while it is not known
   */
  async find(name: string, height: number | undefined, reading: FinalReading): Promise<FoundObject | undefined> {
    const { onFind } = reading;
    const chain = this.#options.latest.known(chainMaxAgeMs)?.chain;
    // For an unknown height the check is whether the chain has any final block.
    if (chain === undefined || !isFinal(height ?? 1, chain)) return undefined;
    const key = keyOf(name, chain);
    const known = this.#texts.find(key);
    if (known !== undefined) {
      onFind?.("memory");
      this.#countReader(key, known, reading);
      return { ...objectOf(known.text), chain };
    }
    const cached = await this.#readCached(key);
    const held = cached ?? (await this.#readStored(key, reading));
    onFind?.(cached !== undefined ? "cache" : held !== undefined ? "kv" : undefined);
    if (held === undefined) return undefined;
    this.#texts.store(key, held);
    this.#countReader(key, held, reading);
    return { ...objectOf(held.text), chain };
  }

  /** Binds the objects to one request. */
  for(reading: FinalReading): RequestFinals {
    return {
      find: (name, height) => this.find(name, height, reading),
      store: (name, object, chain) => this.store(name, object, chain, reading),
    };
  }

  /** Stores an object that D1 returned with the chain. */
  store(name: string, object: FinalObject, chain: Chain, reading: FinalReading): void {
    const { key, text, isTooLong } = storedObject(name, object, chain);
    const known = this.#texts.find(key);
    const held = known ?? { text, firstReader: isTooLong ? undefined : reading.reader };
    if (known === undefined) this.#texts.store(key, held);
    if (known === undefined && !isTooLong) reading.waitUntil(this.#writeCached(key, held));
    this.#countReader(key, held, reading);
  }

  /** Writes the object to KV if this is its second host. */
  #countReader(key: string, { text, firstReader }: HeldText, reading: FinalReading): void {
    if (firstReader === undefined) return;
    if (firstReader === reading.reader) {
      reading.onWait?.();
      return;
    }
    const held = { text, firstReader: undefined };
    this.#texts.store(key, held);
    reading.onStore?.();
    reading.waitUntil(this.#writeStored(key, text));
    reading.waitUntil(this.#writeCached(key, held));
  }

  /** Reads from KV; a failing store counts as empty. */
  async #readStored(key: string, { waitUntil }: FinalReading): Promise<HeldText | undefined> {
    const text = await this.#options.store.get(key).catch(() => null);
    if (text === null) return undefined;
    const held = { text, firstReader: undefined };
    waitUntil(this.#writeCached(key, held));
    return held;
  }

  async #writeStored(key: string, text: string): Promise<void> {
    // KV accepts one write per second and key: a refusal means that another reader was first.
    await this.#options.store.put(key, text, { expirationTtl: storedAgeSeconds }).catch(() => {});
  }

  async #readCached(key: string): Promise<HeldText | undefined> {
    try {
      const cached = await this.#options.cache?.match(cacheUrl(key));
      if (cached === undefined) return undefined;
      return { text: await cached.text(), firstReader: cached.headers.get(firstReaderHeader) ?? undefined };
    } catch {
      return undefined;
    }
  }

  async #writeCached(key: string, { text, firstReader }: HeldText): Promise<void> {
    const waiting = firstReader !== undefined && { [firstReaderHeader]: firstReader };
    const response = new Response(text, { headers: { "Cache-Control": `max-age=${cacheMaxAgeSeconds}`, ...waiting } });
    // A failure has no effect: KV or D1 has the object.
    await this.#options.cache?.put(cacheUrl(key), response).catch(() => {});
  }
}

/** Final objects for one request. */
export interface RequestFinals {
  readonly find: (name: string, height: number | undefined) => Promise<FoundObject | undefined>;
  readonly store: (name: string, object: FinalObject, chain: Chain) => void;
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
