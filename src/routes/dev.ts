/** Controls of a dev chain: only its router has these routes. */
import { addressText } from "../crypto/address.ts";
import type { Address } from "../crypto/identities.ts";
import type { DevStatus } from "../env.ts";
import { mismatch } from "../http/kind.ts";
import { json, momentary, type Reply } from "../http/reply.ts";
import { checkedMembers } from "../http/request-body.ts";
import { address } from "../http/value-kinds.ts";
import { route } from "./context.ts";
import { done } from "./dev-answer.ts";
import { devEditRoutes } from "./dev-edits.ts";
import { devStateRoutes } from "./dev-state.ts";
import { automining, blocksToMine, devStatus, increase, interval, place, time } from "./schemas/dev.ts";
import { impersonation } from "./schemas/dev-edits.ts";

/** Long operations get their time. */
const timeLimitMs = 15 * 60_000;

function statusReply({ height, timeMs, automine, intervalMs, snapshots, impersonated, fork }: DevStatus): Reply {
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
  description: { tag: "dev", summary: "How the chain is set up", answer: devStatus },
  handle: async ({ chainState }) => statusReply(await chainState.dev.status()),
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
    notes: "The first of them takes what the pool has. Once it is answered readers see them.",
    answer: place,
    errors: ["requestInvalid"],
  },
  handle: async ({ body: { blocks = 1n, interval: intervalMs = 0n }, chainState }) => {
    const { height, timeMs } = done(await chainState.dev.mine(Number(blocks), Number(intervalMs)));
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
    summary: "Make a block for each transaction, or no more",
    notes: "A broadcast is then answered once readers see its transaction in a block.",
    answer: devStatus,
    errors: ["requestInvalid"],
  },
  handle: async ({ body: { enabled }, chainState }) =>
    statusReply(done(await chainState.dev.choosePace({ automine: enabled }))),
});

const blockInterval = route({
  method: "POST",
  path: "/dev/interval",
  dependsOn: "node",
  isPrivate: true,
  body: checkedMembers(interval),
  description: {
    tag: "dev",
    summary: "Make blocks by time, or no more",
    notes:
      "By the clock of the wall. Where it is null, and no block is made for each transaction, the pool waits for `/dev/mine`.",
    answer: devStatus,
  },
  handle: async ({ body: { milliseconds }, chainState }) =>
    statusReply(
      done(await chainState.dev.choosePace({ intervalMs: milliseconds === null ? null : Number(milliseconds) })),
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
    notes: "It is the timestamp of the next block.",
    answer: time,
    errors: ["requestInvalid"],
  },
  handle: async ({ body, chainState }) => {
    const { timeMs } = done(await chainState.dev.setTime(Number(body.time)));
    return json({ time: timeMs }, momentary);
  },
});

const increaseTime = route({
  method: "POST",
  path: "/dev/increaseTime",
  dependsOn: "node",
  isPrivate: true,
  body: checkedMembers(increase),
  description: { tag: "dev", summary: "Put the clock forward", answer: time, errors: ["requestInvalid"] },
  handle: async ({ body: { milliseconds }, chainState }) => {
    const { timeMs } = done(await chainState.dev.increaseTime(Number(milliseconds)));
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
    summary: "Accept what is sent in the name of an account",
    notes:
      "Its transactions need no proofs, and its script is not asked; of its orders in exchanges the same holds. It stays so until it is said otherwise, restarts included.",
    answer: devStatus,
    errors: ["addressInvalid", "requestInvalid"],
  },
  handle: async ({ body, chainId, chainState }) => {
    const account = address.read(body.address, chainId);
    if (account === mismatch) return mismatch;
    return statusReply(await chainState.dev.impersonate(account, body.enabled ?? true));
  },
});

export const devRoutes = [
  ...[status, mine, automine, blockInterval, setTime, increaseTime, impersonate],
  ...devStateRoutes,
  ...devEditRoutes,
];
