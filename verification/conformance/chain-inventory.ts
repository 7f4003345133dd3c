/** Inventory of a chain for requests: heights, ids, accounts and assets, read from the blocks' JSON. */

import { parseAddress } from "../../src/crypto/address.ts";
import { isJsonObject, type ParsedJson, type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { patientFetch } from "./patient-fetch.ts";

export interface ChainInventory {
  readonly height: number;
  /** Ids in the order of heights; index 0 is height 1. */
  readonly blockIds: readonly string[];
  readonly blockTimestamps: readonly bigint[];
  readonly transactions: readonly string[];
  readonly accounts: readonly string[];
  readonly assets: readonly string[];
  readonly leases: readonly string[];
  readonly aliases: readonly string[];
  /** Base64, without duplicates. */
  readonly scripts: readonly string[];
  /** Each with the account that wrote it. */
  readonly dataKeys: readonly { readonly account: string; readonly key: string }[];
}

const pageBlocks = 100;
const pageIds = 40;

/** Reads all blocks of a node. */
export async function readChainInventory(url: string): Promise<ChainInventory> {
  const height = Number((await readJson<ParsedObject>(`${url}/blocks/height`))["height"]);
  const blocks: ParsedObject[] = [];
  for (let from = 1; from <= height; from += pageBlocks) {
    const to = Math.min(height, from + pageBlocks - 1);
    blocks.push(...(await readJson<ParsedObject[]>(`${url}/blocks/seq/${from}/${to}`)));
  }
  const plain = blocks.flatMap(({ transactions: list }) => list as readonly ParsedObject[]);
  const transactions = await withStateChanges(url, plain);
  const changes = stateChangesOf(transactions);
  const idsOf = (type: TransactionType): string[] =>
    transactions.filter((transaction) => isOf(transaction, type)).map(({ id }) => String(id));
  const accounts = new Set<string>();
  collectAccounts(blocks, accounts);
  collectAccounts(transactions, accounts);
  return {
    height,
    blockIds: blocks.map(({ id }) => String(id)),
    blockTimestamps: blocks.map(({ timestamp }) => timestamp as bigint),
    transactions: transactions.map(({ id }) => String(id)),
    accounts: [...accounts].sort(),
    assets: [
      ...new Set([...idsOf(TransactionType.Issue), ...changes.flatMap((each) => textsOf(each, "issues", "assetId"))]),
    ],
    leases: [
      ...new Set([...idsOf(TransactionType.Lease), ...changes.flatMap((each) => textsOf(each, "leases", "id"))]),
    ],
    scripts: [...new Set(transactions.map(({ script }) => script).filter((script) => typeof script === "string"))],
    aliases: transactions
      .filter((transaction) => isOf(transaction, TransactionType.CreateAlias))
      .map(({ alias }) => String(alias)),
    dataKeys: [
      ...transactions
        .filter((transaction) => isOf(transaction, TransactionType.Data))
        .flatMap(({ sender, data }) =>
          (data as readonly ParsedObject[]).map(({ key }) => ({ account: String(sender), key: String(key) })),
        ),
      ...changes.flatMap((each) =>
        textsOf(each, "data", "key").flatMap((key) =>
          typeof each["dApp"] === "string" ? { account: each["dApp"], key } : [],
        ),
      ),
    ],
  };
}

/** Whether a transaction's JSON has one of the types. */
function isOf({ type }: ParsedObject, ...types: readonly TransactionType[]): boolean {
  return types.some((each) => type === BigInt(each));
}

/** The calls among the transactions, fetched one by one with their state changes. */
async function withStateChanges(url: string, transactions: readonly ParsedObject[]): Promise<readonly ParsedObject[]> {
  const calls = transactions
    .filter((transaction) => isOf(transaction, TransactionType.InvokeScript, TransactionType.Ethereum))
    .map(({ id }) => String(id));
  const known = new Map<string, ParsedObject>();
  for (let from = 0; from < calls.length; from += pageIds) {
    const ids = calls.slice(from, from + pageIds);
    const found = await readJson<ParsedObject[]>(`${url}/transactions/info?${ids.map((id) => `id=${id}`).join("&")}`);
    for (const each of found) known.set(String(each["id"]), each);
  }
  return transactions.map((each) => known.get(String(each["id"])) ?? each);
}

/** State changes of all calls, nested calls of dApps included, each with the dApp's address. */
function stateChangesOf(transactions: readonly ParsedObject[]): readonly ParsedObject[] {
  const found: ParsedObject[] = [];
  const collect = (call: ParsedObject): void => {
    const changes = call["stateChanges"];
    if (!isJsonObject(changes)) return;
    const dApp = call["dApp"] ?? null;
    found.push({ ...changes, dApp });
    for (const each of (changes["invokes"] ?? []) as readonly ParsedObject[]) collect(each);
  };
  for (const transaction of transactions) {
    collect(transaction);
    const payload = transaction["payload"];
    if (isJsonObject(payload)) collect(payload);
  }
  return found;
}

function textsOf(changes: ParsedObject, list: string, member: string): string[] {
  return ((changes[list] ?? []) as readonly ParsedObject[]).map((each) => String(each[member]));
}

async function readJson<T extends ParsedJson>(url: string): Promise<T> {
  const { ok, status, text } = await patientFetch(url);
  if (!ok) throw new Error(`${url}: ${status} ${text}`);
  return parseJson(text) as T;
}

/** Collects every address in the response, names of members included. */
function collectAccounts(json: ParsedJson, found: Set<string>): void {
  if (typeof json === "string") collectAddress(json, found);
  else if (Array.isArray(json)) for (const item of json as readonly ParsedJson[]) collectAccounts(item, found);
  else if (isJsonObject(json))
    for (const [name, value] of Object.entries(json)) {
      collectAddress(name, found);
      collectAccounts(value, found);
    }
}

function collectAddress(text: string, found: Set<string>): void {
  if (text.length < 30 || text.length > 36) return;
  if (parseAddress(text, undefined) instanceof Uint8Array) found.add(text);
}
