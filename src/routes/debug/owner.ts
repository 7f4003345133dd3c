/**
 * Requests and actions of the node's owner. The settings are shown without the wallet's seed and the hash of the API
 * key, which the reference shows.
 * @source docs/protocol/rest-api.md 2.6, 2.9; Waves: api/http/DebugApiRoute.scala, NodeApiRoute.scala
 */
import * as z from "zod";
import { addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import type { Address } from "../../crypto/identities.ts";
import { ApiError } from "../../http/api-error.ts";
import { unlisted } from "../../http/description.ts";
import { required } from "../../http/query.ts";
import { checkedMembers, rawText } from "../../http/request-body.ts";
import { restSettingsGroup } from "../../http/rest-settings.ts";
import { badRequest, json, momentary, type RouteResponse } from "../../http/route-response.ts";
import { boolean } from "../../http/value-kinds.ts";
import { referenceSettings } from "../../network/reference-settings.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { findHostAndPort } from "../../protocol/messages/peer-address-text.ts";
import { route } from "../../services/context.ts";
import { activityJson } from "../json/activity.ts";
import { peersFor } from "../peers.ts";
import { activity, configuration, message, miningAccounts, rollback, rolledBack, stopped } from "../schemas/owner.ts";

const info = route({
  method: "GET",
  path: "/debug/info",
  dependsOn: "node",
  isPrivate: true,
  description: {
    tag: "debug",
    summary: "Activity of the node",
    notes: "Activity with peers is in the reference's terms, as far as it is the same.",
    response: activity,
    examples: [{}],
  },
  handle: async ({ chainState, peers }) => {
    const [own, sync] = await Promise.all([chainState.owner.activity(), peers?.activity()]);
    return json(activityJson(own, sync), momentary);
  },
});

const minerInfo = route({
  method: "GET",
  path: "/debug/minerInfo",
  dependsOn: "node",
  isPrivate: true,
  description: {
    tag: "debug",
    summary: "Accounts of the wallet that may make the next block",
    notes:
      "With the time of their next block. Accounts with a script are left out; a node that makes no blocks has none.",
    response: miningAccounts,
    examples: [{}],
  },
  handle: async ({ chainState }) => {
    const accounts = await chainState.owner.miningAccounts();
    return json(
      accounts.map(({ address, generatingBalance, timestampMs }) => ({
        address: addressText(address as Address),
        miningBalance: generatingBalance,
        timestamp: timestampMs,
      })),
      momentary,
    );
  },
});

const configInfo = route({
  method: "GET",
  path: "/debug/configInfo",
  dependsOn: "node",
  isPrivate: true,
  query: { full: required(boolean, "No effect: all settings of this node are under `waves`.") },
  description: {
    tag: "debug",
    summary: "Settings in force",
    notes: "Without secrets: neither the wallet's seed nor the hash of the API key.",
    response: configuration,
    examples: [{ query: { full: "false" } }],
  },
  handle: ({ network, limits }) => {
    const { "rest-api": nodeGroup, ...waves } = referenceSettings(network);
    const settings: JsonObject = { ...waves, "rest-api": { ...nodeGroup, ...restSettingsGroup(limits) } };
    return json({ waves: settings }, momentary);
  },
});

const unknownHeight: RouteResponse & { readonly kind: "text" } = {
  kind: "text",
  status: 400,
  text: "Block at height not found",
};

const rollBack = route({
  method: "POST",
  path: "/debug/rollback",
  dependsOn: "node",
  isPrivate: true,
  refusesGet: true,
  timeLimitMs: 15 * 60_000,
  body: checkedMembers(rollback),
  description: {
    tag: "debug",
    summary: "Roll back blocks",
    notes:
      "All above the height, including final ones; at most `db.max-rollback-depth`. A node that makes blocks continues from there.",
    response: rolledBack,
    errors: ["requestInvalid"],
    textError: unknownHeight,
    examples: [{ body: { rollbackTo: 100, returnTransactionsToUtx: false } }],
  },
  handle: async ({ body: { rollbackTo, returnTransactionsToUtx }, chainState }) => {
    const options = { returnsTransactions: returnTransactionsToUtx };
    const result = await chainState.owner.rollBack(Number(rollbackTo), options);
    switch (result.kind) {
      case "noBlock":
        return unknownHeight;
      case "refused":
        throw new ApiError({ code: "requestInvalid", message: result.reason });
      case "done":
        return json({ BlockId: encodeBase58(result.blockId) }, momentary);
    }
  },
});

const unreadableRollback = route({
  method: "ALL",
  path: "/debug/rollback",
  dependsOn: "node",
  isPrivate: true,
  description: unlisted("an invalid rollback request has an error text of its own"),
  handle: () => badRequest,
});

const blacklist = route({
  method: "POST",
  path: "/debug/blacklist",
  dependsOn: "node",
  isPrivate: true,
  body: rawText(() => z.string().meta({ description: "Name or address of a host, with or without a port." })),
  description: {
    tag: "debug",
    summary: "Blacklist a node",
    notes: "Its connections are closed. A node without peers refuses with error 199.",
    response: { text: "OK" },
    errors: ["requestInvalid"],
    textError: badRequest,
    examples: [{ body: "192.0.2.7:6868" }],
  },
  handle: async (context) => {
    // The port is ignored.
    const host = findHostAndPort(context.body, 0)?.host;
    if (host === undefined || !(await peersFor(context).blacklist(host))) return badRequest;
    return { kind: "text", status: 200, text: "OK" };
  },
});

/** Maximum length of a printed message, in characters. */
const maxPrinted = 250;

const print = route({
  method: "POST",
  path: "/debug/print",
  dependsOn: "node",
  isPrivate: true,
  refusesGet: true,
  anyAccept: true,
  body: checkedMembers(message),
  description: {
    tag: "debug",
    summary: "Write into the node's log",
    notes: `The first ${maxPrinted} characters.`,
    response: { text: "Nothing." },
    examples: [{ body: { message: "hello" } }],
  },
  handle: ({ body }): RouteResponse => {
    // biome-ignore lint/suspicious/noConsole: a Worker's log is its console
    console.info(`print: ${body.message.slice(0, maxPrinted)}`);
    return { kind: "text", status: 200, text: "" };
  },
});

const stop = route({
  method: "POST",
  path: "/node/stop",
  dependsOn: "node",
  isPrivate: true,
  description: {
    tag: "node",
    summary: "Stop the node",
    notes:
      "A local node ends. A deployed one makes no more blocks until it is deployed again, still responds to requests, and says so.",
    response: stopped,
    examples: [{}],
  },
  handle: async ({ chainState }) => {
    const until = await chainState.owner.stop();
    const notice = "The node makes no more blocks until it is deployed again; it goes on to answer.";
    return json({ stopped: true, ...(until === "untilDeployment" && { notice }) }, momentary);
  },
});

export const ownerRoutes = [info, minerInfo, configInfo, rollBack, unreadableRollback, blacklist, print, stop];
