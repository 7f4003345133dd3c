/** What the owner of a dev chain has set, as the store keeps it: text under a name. A dump brings such texts from elsewhere. */
import type * as z from "zod";
import type { StateStore } from "../state/state-store.ts";

/** Values that the store keeps by name. */
export type MetaRecords = Pick<StateStore, "findMeta" | "putMeta">;

export interface KeptRecord<T> {
  readonly name: string;
  /** @returns undefined: the text is no such record */
  readonly parse: (text: string) => T | undefined;
}

/** One that is kept as JSON. */
export function jsonRecord<T>(name: string, schema: z.ZodType<T>): KeptRecord<T> {
  return { name, parse: (text) => schema.safeParse(parsed(text)).data };
}

/** @returns undefined: there is none; one that cannot be read counts as none, so that the chain starts */
export function findRecord<T>(meta: Pick<MetaRecords, "findMeta">, { name, parse }: KeptRecord<T>): T | undefined {
  const text = meta.findMeta(name);
  return text === undefined ? undefined : parse(text);
}

/** Its JSON, or undefined, which no record is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
