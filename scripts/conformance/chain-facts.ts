/** What there is to ask about on a chain: heights, ids, accounts, assets, read off the blocks' JSON. */
import { parseAddress } from "../../src/crypto/address.ts";
import { isJsonObject, type ParsedJson, type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";

export interface ChainFacts {
  readonly height: number;
  /** From height 1 on. */
  readonly blockIds: readonly string[];
  readonly blockTimestamps: readonly bigint[];
  readonly transactions: readonly string[];
  readonly accounts: readonly string[];
  readonly assets: readonly string[];
  readonly leases: readonly string[];
  readonly aliases: readonly string[];
  /** With the account that wrote it. */
  readonly dataKeys: readonly { readonly account: string; readonly key: string }[];
}

const pageBlocks = 100;

/** Reads all blocks of a node. */
export async function readChainFacts(url: string): Promise<ChainFacts> {
  const height = Number((await readJson<ParsedObject>(`${url}/blocks/height`))["height"]);
  const blocks: ParsedObject[] = [];
  for (let from = 1; from <= height; from += pageBlocks) {
    const to = Math.min(height, from + pageBlocks - 1);
    blocks.push(...(await readJson<ParsedObject[]>(`${url}/blocks/seq/${from}/${to}`)));
  }
  const transactions = blocks.flatMap(({ transactions: list }) => list as readonly ParsedObject[]);
  const idsOf = (type: bigint): string[] =>
    transactions.filter((tx) => tx["type"] === type).map(({ id }) => String(id));
  const accounts = new Set<string>();
  for (const block of blocks) collectAccounts(block, accounts);
  return {
    height,
    blockIds: blocks.map(({ id }) => String(id)),
    blockTimestamps: blocks.map(({ timestamp }) => timestamp as bigint),
    transactions: transactions.map(({ id }) => String(id)),
    accounts: [...accounts].sort(),
    assets: idsOf(3n),
    leases: idsOf(8n),
    aliases: transactions.filter(({ type }) => type === 10n).map(({ alias }) => String(alias)),
    dataKeys: transactions
      .filter(({ type }) => type === 12n)
      .flatMap(({ sender, data }) =>
        (data as readonly ParsedObject[]).map(({ key }) => ({ account: String(sender), key: String(key) })),
      ),
  };
}

async function readJson<T extends ParsedJson>(url: string): Promise<T> {
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`);
  return parseJson(text) as T;
}

/** Every address anywhere in the answer, also where it is the name of a member. */
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
