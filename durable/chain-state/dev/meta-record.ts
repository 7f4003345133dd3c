/** Settings of a dev chain's owner as stored texts with names. A dump may contain such texts from elsewhere. */
import type * as z from "zod";
import type { StateStore } from "../state/state-store.ts";

/** Store of values by name. */
export type MetaStore = Pick<StateStore, "findMeta" | "putMeta">;

export interface MetaRecord<T> {
  readonly name: string;
  /** @returns undefined: the text is not valid */
  readonly parse: (text: string) => T | undefined;
}

/** Record stored as JSON. */
export function jsonRecord<T>(name: string, schema: z.ZodType<T>): MetaRecord<T> {
  return { name, parse: (text) => schema.safeParse(parsed(text)).data };
}

/** @returns undefined: missing or invalid; an invalid one must not keep the chain from starting */
export function findRecord<T>(meta: Pick<MetaStore, "findMeta">, { name, parse }: MetaRecord<T>): T | undefined {
  const text = meta.findMeta(name);
  return text === undefined ? undefined : parse(text);
}

/** Parses JSON; undefined for invalid text, which no record accepts. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
