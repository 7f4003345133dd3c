/** Controls of a dev chain: only its router has these routes. */
import { addressText } from "../../crypto/address.ts";
import type { Address } from "../../crypto/identities.ts";
import type { DevStatus } from "../../env.ts";
import { mismatch } from "../../http/kind.ts";
import { checkedMembers } from "../../http/request-body.ts";
import { json, momentary, type RouteResponse } from "../../http/route-response.ts";
import { address } from "../../http/value-kinds.ts";
import { route } from "../../services/context.ts";
import { automining, blocksToMine, devStatus, devTip, increase, interval, time } from "../schemas/dev.ts";
import { impersonation } from "../schemas/state-overrides.ts";
import { unwrapDevResult } from "./dev-result.ts";
import { devStateRoutes } from "./dev-state.ts";
import { stateOverrideRoutes } from "./state-overrides.ts";

/** Long operations get their time. */
const timeLimitMs = 15 * 60_000;

function statusResponse({
  height,
  timeMs,
  automine,
  intervalMs,
  snapshots,
  impersonated,
  fork,
}: DevStatus): RouteResponse {
  const lists = {
    snapshots: snapshots.map((snapshot) => ({ ...snapshot })),
    impersonated: impersonated.map((account) => addressText(account as Address)),
    fork: fork === undefined ? null : { ...fork },
  };
  return json({ height, time: timeMs, automine, interval: intervalMs, ...lists }, momentary);
}

const status = route({
  method: "GET",
  path: "/dev/status",
  dependsOn: "node",
  isPrivate: true,
  description: { tag: "dev", summary: "Settings and status of the chain", response: devStatus },
  handle: async ({ chainState }) => statusResponse(await chainState.dev.status()),
});

const mine = route({
  method: "POST",
  path: "/dev/mine",
  dependsOn: "node",
  isPrivate: true,
  timeLimitMs,
  body: checkedMembers(blocksToMine),
  description: {
    tag: "dev",
    summary: "Make blocks",
    notes: "The first one takes the transactions of the pool. Readers see the blocks at the time of the response.",
    response: devTip,
    errors: ["requestInvalid"],
  },
  handle: async ({ body: { blocks = 1n, interval: intervalMs = 0n }, chainState }) => {
    const { height, timeMs } = unwrapDevResult(await chainState.dev.mine(Number(blocks), Number(intervalMs)));
    return json({ height, time: timeMs }, momentary);
  },
});

const automine = route({
  method: "POST",
  path: "/dev/automine",
  dependsOn: "node",
  isPrivate: true,
  timeLimitMs,
  body: checkedMembers(automining),
  description: {
    tag: "dev",
    summary: "Turn automine on or off",
    notes:
      "With automine, each transaction gets a block: the response to a broadcast waits until readers see it there.",
    response: devStatus,
    errors: ["requestInvalid"],
  },
  handle: async ({ body: { enabled }, chainState }) =>
    statusResponse(unwrapDevResult(await chainState.dev.setMiningMode({ automine: enabled }))),
});

const blockInterval = route({
  method: "POST",
  path: "/dev/interval",
  dependsOn: "node",
  isPrivate: true,
  body: checkedMembers(interval),
  description: {
    tag: "dev",
    summary: "Make blocks at an interval, or no more",
    notes: "In real time. Without an interval and without automine, the pool waits for `/dev/mine`.",
    response: devStatus,
  },
  handle: async ({ body: { milliseconds }, chainState }) =>
    statusResponse(
      unwrapDevResult(
        await chainState.dev.setMiningMode({ intervalMs: milliseconds === null ? null : Number(milliseconds) }),
      ),
    ),
});

const setTime = route({
  method: "POST",
  path: "/dev/setTime",
  dependsOn: "node",
  isPrivate: true,
  body: checkedMembers(time),
  description: {
    tag: "dev",
    summary: "Set the clock",
    notes: "The time is also the timestamp of the next block.",
    response: time,
    errors: ["requestInvalid"],
  },
  handle: async ({ body, chainState }) => {
    const { timeMs } = unwrapDevResult(await chainState.dev.setTime(Number(body.time)));
    return json({ time: timeMs }, momentary);
  },
});

const increaseTime = route({
  method: "POST",
  path: "/dev/increaseTime",
  dependsOn: "node",
  isPrivate: true,
  body: checkedMembers(increase),
  description: { tag: "dev", summary: "Put the clock forward", response: time, errors: ["requestInvalid"] },
  handle: async ({ body: { milliseconds }, chainState }) => {
    const { timeMs } = unwrapDevResult(await chainState.dev.increaseTime(Number(milliseconds)));
    return json({ time: timeMs }, momentary);
  },
});

const impersonate = route({
  method: "POST",
  path: "/dev/impersonate",
  dependsOn: "node",
  isPrivate: true,
  body: checkedMembers(impersonation),
  description: {
    tag: "dev",
    summary: "Impersonate an account",
    notes:
      "Its transactions and its orders in exchanges need no proofs, and its script does not run. Valid until it is turned off, also after a restart.",
    response: devStatus,
    errors: ["addressInvalid", "requestInvalid"],
  },
  handle: async ({ body, chainId, chainState }) => {
    const account = address.read(body.address, chainId);
    if (account === mismatch) return mismatch;
    return statusResponse(await chainState.dev.impersonate(account, body.enabled ?? true));
  },
});

export const devRoutes = [
  ...[status, mine, automine, blockInterval, setTime, increaseTime, impersonate],
  ...devStateRoutes,
  ...stateOverrideRoutes,
];
