/** Writes while the chain is read: transfers among a closed set of accounts, and the owner's rollbacks. */
import { TruthClient } from "./truth-client.ts";
import { ownerHeaders, type TruthWorld } from "./truth-world.ts";

/** Sends transfers at a rate, over several connections. */
export async function sendTransfers(world: TruthWorld, url: string, endMs: number, perSecond: number): Promise<void> {
  const client = new TruthClient(url);
  const startMs = performance.now();
  for (let sent = 0; performance.now() < endMs; sent++) {
    const waitMs = startMs + (sent * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    await broadcast(world, client, world.nextTransfer());
  }
  client.close();
}

/** Sends a transaction. Once accepted, it must be readable after its response. */
async function broadcast(world: TruthWorld, client: TruthClient, body: string): Promise<void> {
  const { status, text, receivedMs } = await client.request("/transactions/broadcast", { body });
  world.found("broadcasts", status === 200 ? [] : [`${status} ${text.slice(0, 200)}`]);
  if (status !== 200) return;
  const { id } = JSON.parse(text) as { readonly id: string };
  world.accepted.push({ id, acceptedMs: receivedMs });
  if (world.random.boolean(0.3)) await expectSomewhere(world, client, id, receivedMs, "own transaction at once");
}

/** Queries the pool first and the chain second: a transaction that left the pool is on the chain. */
async function expectSomewhere(
  world: TruthWorld,
  client: TruthClient,
  id: string,
  acceptedMs: number,
  kind: string,
): Promise<void> {
  const inPool = await client.request(`/transactions/unconfirmed/info/${id}`);
  if (inPool.status === 200) return world.found(kind, []);
  const onChain = await client.request(`/transactions/info/${id}`);
  if (onChain.status === 200) return world.found(kind, []);
  // After a rollback it moves from the chain to the pool; reading in the opposite order finds it.
  if (world.isRolledBack(inPool.sentMs, onChain.receivedMs)) return;
  const isTaken = world.rollbacks.some(
    ({ returnsTransactions, startMs, endMs }) =>
      !returnsTransactions && acceptedMs < endMs && startMs < onChain.receivedMs,
  );
  if (isTaken) return;
  world.found(kind, [`${id} is nowhere: ${inPool.status}, then ${onChain.status} ${onChain.text.slice(0, 100)}`]);
}

/** Reads random accepted transactions, recent ones more often. */
export async function lookForAccepted(world: TruthWorld, url: string, endMs: number): Promise<void> {
  const client = new TruthClient(url);
  const { accepted, random } = world;
  while (performance.now() < endMs) {
    const one = accepted[accepted.length - 1 - random.below(random.between(1, Math.max(accepted.length, 1)))];
    if (one !== undefined) await expectSomewhere(world, client, one.id, one.acceptedMs, "accepted transactions");
    await new Promise((resolve) => setTimeout(resolve, random.below(10)));
  }
  client.close();
}

/**
 * Time from a transaction leaving the pool in ChainState until it is readable on the chain. @returns milliseconds each
 */
export async function followTransactions(world: TruthWorld, url: string, endMs: number): Promise<readonly number[]> {
  const client = new TruthClient(url);
  const lagsMs: number[] = [];
  while (performance.now() < endMs) {
    const newest = world.accepted.at(-1);
    const lagMs = newest && (await lagOf(newest.id));
    if (lagMs !== undefined) lagsMs.push(lagMs);
    else await new Promise((resolve) => setTimeout(resolve, 5));
  }
  client.close();
  return lagsMs;

  async function lagOf(id: string): Promise<number | undefined> {
    const startMs = performance.now();
    let leftMs: number | undefined;
    while (performance.now() < endMs) {
      const path = leftMs === undefined ? `/transactions/unconfirmed/info/${id}` : `/transactions/info/${id}`;
      const { status, sentMs, receivedMs } = await client.request(path);
      if (world.isRolledBack(startMs, receivedMs)) return undefined;
      if (leftMs === undefined && status === 404) leftMs = sentMs;
      else if (leftMs !== undefined && status === 200) return receivedMs - leftMs;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return undefined;
  }
}

/** Records the height of ChainState. */
export async function watchChain(world: TruthWorld, url: string, endMs: number): Promise<void> {
  const client = new TruthClient(url);
  while (performance.now() < endMs) {
    const { status, text, sentMs, receivedMs } = await client.request("/debug/info", { headers: ownerHeaders });
    if (status === 200 && !world.isRolledBack(sentMs, receivedMs)) {
      const height = Number((JSON.parse(text) as { readonly stateHeight: number }).stateHeight);
      for (let known = height; known > 0 && !world.chainHeights.has(known); known--)
        world.chainHeights.set(known, receivedMs);
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  client.close();
}

/** Time from a block in ChainState until its height is readable. @returns milliseconds each */
export async function followHeights(world: TruthWorld, url: string, endMs: number): Promise<readonly number[]> {
  const client = new TruthClient(url);
  const lagsMs: number[] = [];
  let seen = 0;
  while (performance.now() < endMs) {
    const { status, text, sentMs, receivedMs } = await client.request("/blocks/height");
    if (status === 200) {
      const { height } = JSON.parse(text) as { readonly height: number };
      const knownMs = world.chainHeights.get(height);
      if (world.isRolledBack(knownMs ?? sentMs, receivedMs)) seen = height;
      else if (height > seen) {
        // The first height existed before.
        if (seen > 0) lagsMs.push(knownMs === undefined ? 0 : Math.max(receivedMs - knownMs, 0));
        seen = height;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  client.close();
  return lagsMs;
}

/** Rolls back some blocks. The next response over the same connection must show it. */
export async function rollBack(world: TruthWorld, url: string, returnsTransactions: boolean): Promise<void> {
  const client = new TruthClient(url);
  const { text } = await client.request("/blocks/height");
  const toHeight = (JSON.parse(text) as { readonly height: number }).height - 2;
  const rollback = { toHeight, returnsTransactions, startMs: performance.now(), endMs: Number.POSITIVE_INFINITY };
  world.rollbacks.push(rollback);
  const body = JSON.stringify({ rollbackTo: toHeight, returnTransactionsToUtx: returnsTransactions });
  const response = await client.request("/debug/rollback", { headers: ownerHeaders, body });
  const next = await client.request("/blocks/height");
  world.chainHeights.clear();
  rollback.endMs = response.receivedMs;
  const { height } = JSON.parse(next.text) as { readonly height: number };
  world.found("rollbacks", [
    ...(response.status === 200 ? [] : [`${response.status} ${response.text}`]),
    // Blocks that are already due may be forged at once.
    ...(height >= toHeight && height <= toHeight + 2 ? [] : [`to ${toHeight}, and then ${height} was shown`]),
  ]);
  client.close();
}
