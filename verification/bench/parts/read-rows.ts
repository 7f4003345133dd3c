/** Kinds of requests that `reads` measures. */
import type { ReadsWorld, WorldBuilder } from "./reads-world.ts";
import type { LoadRequest } from "./request-load.ts";

export interface ReadRow {
  readonly name: string;
  /** Each request is sent once. */
  readonly isOnce: boolean;
  /** Requests of one measurement. @param worlds one for each node; the requests to them are alike */
  requests(
    worlds: readonly ReadsWorld[],
    order: { connections: number; seconds: number },
  ): readonly (readonly LoadRequest[])[];
}

/** More than a node can handle, so that requests sent only once last for the whole time. */
const broadcastsPerSecond = { many: 3_000, one: 1_500 } as const;
const evaluationsPerSecond = { many: 8_000, one: 4_000 } as const;

/** @param worldMaker of the worlds, which signs the broadcasts */
export function readRows(worldMaker: WorldBuilder): readonly ReadRow[] {
  let amount = 1_000;
  const enough = (
    of: { many: number; one: number },
    { connections, seconds }: { connections: number; seconds: number },
  ) => Math.ceil(seconds * (connections === 1 ? of.one : of.many));
  return [
    same("height", () => ({ path: "/blocks/height" })),
    same("balance", ({ address }) => ({ path: `/addresses/balance/${address}` })),
    same("data key", ({ dApp, dataKey }) => ({ path: `/addresses/data/${dApp}/${dataKey}` })),
    same("transaction info", ({ transactionId }) => ({ path: `/transactions/info/${transactionId}` })),
    same("asset details", ({ assetId }) => ({ path: `/assets/details/${assetId}` })),
    same("last block", () => ({ path: "/blocks/last" })),
    same("block", ({ height }) => ({ path: `/blocks/at/${height}` })),
    same("list", ({ address }) => ({ path: `/transactions/address/${address}/limit/100` })),
    same("evaluate", (world) => evaluation(world, 100)),
    {
      name: "evaluate, others",
      isOnce: true,
      requests: (worlds, order) => {
        const amounts = Array.from({ length: enough(evaluationsPerSecond, order) }, () => amount++);
        return worlds.map((world) => amounts.map((amount) => evaluation(world, amount)));
      },
    },
    {
      name: "broadcast",
      isOnce: true,
      requests: (worlds, order) => {
        const bodies = worldMaker.transfers(enough(broadcastsPerSecond, order));
        return worlds.map(() => bodies.map((body) => ({ path: "/transactions/broadcast", body })));
      },
    },
  ];
}

function same(name: string, requestOf: (world: ReadsWorld) => LoadRequest): ReadRow {
  return { name, isOnce: false, requests: (worlds) => worlds.map((world) => [requestOf(world)]) };
}

function evaluation({ dApp }: ReadsWorld, amount: number): LoadRequest {
  const call = { function: "quote", args: [{ type: "integer", value: amount }] };
  return { path: `/utils/script/evaluate/${dApp}`, body: JSON.stringify({ call }) };
}
