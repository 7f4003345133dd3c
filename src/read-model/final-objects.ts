/**
 * Objects that can no more change, as JSON text: in the isolate's memory, behind it in KV. The first reader writes them
 * (docs/decisions/0004-kv-on-first-read.md).
 */
import { type IsolateMemory, type MemoryRegion, textBytes } from "../platform/isolate-memory.ts";
import { type Chain, isFinal } from "./chain.ts";
import type { LatestState } from "./latest-state.ts";

/** The part of a KV namespace that this takes. */
export type FinalStore = Pick<KVNamespace, "get" | "put">;

/** How long a chain row counts as known: the epoch of the keys may be old by so much. */
const chainMaxAgeMs = 1000;
/** Larger texts are not worth a place in KV: D1 gives them as fast. */
const storedLimitCharacters = 4 * 2 ** 20;

/** An object as the interface prints it. */
export interface FinalObject {
  /** Tells it from every other object that may ever stand under the same name: its block's id, for instance. */
  readonly tag: string;
  /** JSON. */
  readonly text: string;
}

/** Where an object was found; undefined: KV was asked, and had none. */
type OnFind = (place: "memory" | "kv" | undefined) => void;

export class FinalObjects {
  readonly #store: FinalStore;
  readonly #latest: LatestState;
  readonly #texts: MemoryRegion<string>;

  /** @param latest what readings of D1 have shown */
  constructor(store: FinalStore, latest: LatestState, memory: IsolateMemory) {
    this.#store = store;
    this.#latest = latest;
    this.#texts = memory.region("final", textBytes);
  }

  /**
   * The object, if it is kept and the chain was looked at within the last second; otherwise D1 is to be asked, which
   * gives the object and shows the chain in one.
   * @param height of the object, undefined while it is not known
   */
  async find(name: string, height: number | undefined, onFind: OnFind = () => {}): Promise<FinalObject | undefined> {
    const chain = this.#latest.known(chainMaxAgeMs)?.chain;
    if (chain === undefined || (height !== undefined && !isFinal(height, chain))) return undefined;
    const key = keyOf(name, chain);
    const known = this.#texts.find(key);
    if (known !== undefined) {
      onFind("memory");
      return objectOf(known);
    }
    const stored = await this.#read(key);
    onFind(stored === undefined ? undefined : "kv");
    if (stored === undefined) return undefined;
    this.#texts.keep(key, stored);
    return objectOf(stored);
  }

  /**
   * The same for one request.
   * @param onFind is told of each object that was looked for in memory and KV
   * @param onStore is told of each that is put into KV
   */
  for(onFind: OnFind, onStore: () => void): Pick<FinalObjects, "find" | "keep"> {
    return {
      find: (name, height) => this.find(name, height, onFind),
      keep: (name, object, chain, waitUntil) =>
        this.keep(name, object, chain, (work) => {
          onStore();
          waitUntil(work);
        }),
    };
  }

  /** Keeps an object that D1 gave with the chain. @param waitUntil runs the writing after the answer is sent */
  keep(name: string, object: FinalObject, chain: Chain, waitUntil: (work: Promise<unknown>) => void): void {
    const key = keyOf(name, chain);
    const text = `${object.tag}\n${object.text}`;
    this.#texts.keep(key, text);
    if (text.length <= storedLimitCharacters) waitUntil(this.#write(key, text));
  }

  /** A store that fails is a store that has nothing. */
  async #read(key: string): Promise<string | undefined> {
    try {
      return (await this.#store.get(key)) ?? undefined;
    } catch {
      return undefined;
    }
  }

  async #write(key: string, text: string): Promise<void> {
    try {
      await this.#store.put(key, text);
    } catch {
      // KV takes one write a second for a key: another reader was first.
    }
  }
}

/** The tag is the first line of what is stored. */
function objectOf(stored: string): FinalObject {
  const end = stored.indexOf("\n");
  return { tag: stored.slice(0, end), text: stored.slice(end + 1) };
}

/** Another chain, one that was begun anew, and a new epoch make every older key unreachable. */
function keyOf(name: string, { identity, epoch }: Chain): string {
  return `${identity}/${epoch}/${name}`;
}
