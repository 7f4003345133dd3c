/** Resolves a search text: its form says which kinds are possible, and the node says which one exists. */
import { encodeBase58, parseBase58 } from "../../../src/crypto/base58.ts";
import { paths } from "../frame/page-location.ts";
import { blockId } from "./chain-feed.ts";
import { fetchJson, NodeError } from "./node-request.ts";
import type { Header, Lease } from "./shapes.ts";

/** @returns path of the view; undefined when the chain has no such item */
export async function findPath(given: string): Promise<string | undefined> {
  const text = given.trim();
  const height = /^#?([\d,. ]+)$/.exec(text)?.[1]?.replace(/\D/g, "");
  if (height !== undefined && height !== "" && height.length < 11) return paths.block(BigInt(height));
  const hex = /^0x([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hex !== undefined)
    return findPath(encodeBase58(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))));
  return (await findPathOfBase58(text)) ?? (await findPathOfAlias(text));
}

async function findPathOfBase58(text: string): Promise<string | undefined> {
  const bytes = parseBase58(text);
  if (!(bytes instanceof Uint8Array)) return undefined;
  if (bytes.length === 26) {
    const { valid } = await fetchJson<{ readonly valid: boolean }>(`/addresses/validate/${text}`);
    return valid ? paths.account(text) : undefined;
  }
  if (bytes.length === 64) return findPathOfBlock(text);
  if (bytes.length !== 32) return undefined;
  // Most ids are of transactions, and an issued asset has the id of its transaction.
  const { status } = await fetchJson<{ readonly status: string }>(`/transactions/status/${text}`);
  if (status !== "not_found") return paths.transaction(text);
  const [block, asset, lease, account] = await Promise.all([
    findPathOfBlock(text),
    isThere(`/assets/details/${text}`),
    found<Lease>(`/leasing/info/${text}`),
    found<{ readonly address: string }>(`/addresses/publicKey/${text}`),
  ]);
  if (block !== undefined) return block;
  if (asset) return paths.asset(text);
  if (lease?.originTransactionId != null) return paths.transaction(lease.originTransactionId);
  // Any 32 bytes may be a public key: only one whose account has transactions counts.
  if (account === undefined) return undefined;
  const [[newest] = []] = await fetchJson<readonly (readonly unknown[])[]>(
    `/transactions/address/${account.address}/limit/1`,
  );
  return newest === undefined ? undefined : paths.account(account.address);
}

async function findPathOfBlock(id: string): Promise<string | undefined> {
  const header = await found<Header>(`/blocks/headers/${id}`);
  return header === undefined ? undefined : paths.block(blockId(header));
}

async function findPathOfAlias(text: string): Promise<string | undefined> {
  const name = text.replace(/^alias:.:/, "");
  if (!/^[-.0-9@_a-z]{4,30}$/.test(name)) return undefined;
  const owner = await found<{ readonly address: string }>(`/alias/by-alias/${encodeURIComponent(name)}`);
  return owner === undefined ? undefined : paths.account(owner.address);
}

async function isThere(path: string): Promise<boolean> {
  return (await found(path)) !== undefined;
}

/** @returns undefined when there is no such item, or the text is invalid for this path */
async function found<Result>(path: string): Promise<Result | undefined> {
  try {
    return await fetchJson<Result>(path);
  } catch (error) {
    if (error instanceof NodeError && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}
