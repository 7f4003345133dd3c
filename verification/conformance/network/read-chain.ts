/** Reads of a node's chain over HTTP. */

import { isJsonObject, type ParsedJson, type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { patientFetch } from "../patient-fetch.ts";

export interface HeaderInfo {
  readonly height: number;
  readonly id: string;
  readonly generator: string;
  readonly timestampMs: number;
  readonly baseTarget: bigint;
}

const pageBlocks = 100;

export async function heightOf(url: string): Promise<number> {
  return Number((await readJson<ParsedObject>(`${url}/blocks/height`))["height"]);
}

/** Headers of the chain, `from` and `to` included. */
export async function headersOf(url: string, from: number, to: number): Promise<HeaderInfo[]> {
  const headers: ParsedObject[] = [];
  for (let first = from; first <= to; first += pageBlocks) {
    const last = Math.min(to, first + pageBlocks - 1);
    headers.push(...(await readJson<ParsedObject[]>(`${url}/blocks/headers/seq/${first}/${last}`)));
  }
  return headers.map((header) => {
    const { height, id, generator, timestamp } = header;
    // The Go node has the base target only in `nxt-consensus`, the others also at the top level.
    const consensus = header["nxt-consensus"];
    const baseTarget = isJsonObject(consensus) ? consensus["base-target"] : header["baseTarget"];
    return {
      height: Number(height),
      id: String(id),
      generator: String(generator),
      timestampMs: Number(timestamp),
      baseTarget: BigInt(String(baseTarget)),
    };
  });
}

/** All parts of the state hash at a height; undefined if the node has none. */
export async function stateHashesAt(url: string, height: number): Promise<ParsedObject | undefined> {
  const { ok, text } = await patientFetch(`${url}/debug/stateHash/${height}`);
  return ok ? (parseJson(text) as ParsedObject) : undefined;
}

/** Transactions of the blocks, `from` and `to` included. */
export async function transactionsOf(url: string, from: number, to: number): Promise<ParsedObject[]> {
  const found: ParsedObject[] = [];
  for (let first = from; first <= to; first += pageBlocks) {
    const last = Math.min(to, first + pageBlocks - 1);
    const blocks = await readJson<ParsedObject[]>(`${url}/blocks/seq/${first}/${last}`);
    found.push(...blocks.flatMap(({ transactions }) => (transactions ?? []) as readonly ParsedObject[]));
  }
  return found;
}

/** The node's records of the last calls of dApps, at most this many, the newest last. */
export async function callsOf(url: string, most: number): Promise<ParsedObject[]> {
  const transactions = await transactionsOf(url, 1, await heightOf(url));
  const calls = transactions.filter(({ type }) => Number(type) === TransactionType.InvokeScript).slice(-most);
  return Promise.all(calls.map(({ id }) => readJson<ParsedObject>(`${url}/transactions/info/${String(id)}`)));
}

/** The node's response as text. @throws Error on any status except 200 */
export async function readText(url: string): Promise<string> {
  const { ok, status, text } = await patientFetch(url);
  if (!ok) throw new Error(`${url}: ${status} ${text}`);
  return text;
}

async function readJson<T extends ParsedJson>(url: string): Promise<T> {
  return parseJson(await readText(url)) as T;
}
