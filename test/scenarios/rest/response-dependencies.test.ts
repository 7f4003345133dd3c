/**
 * Declared dependences of routes (`dependsOn`) compared with their responses to every recorded request and to every
 * example of the document.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { exampleUrl, operationsOf } from "../../../src/http/open-api/operations.ts";
import type { AnyRouteInfo, Dependence } from "../../../src/http/route.ts";
import type { Freshness, RouteResponse } from "../../../src/http/route-response.ts";
import type { Router } from "../../../src/http/router.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { allRoutes } from "../../../src/routes/all-routes.ts";
import type { TestNode } from "../../support/builders/test-node.ts";
import { validatingNode } from "../../support/builders/validating-node.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";
import { type Exchange, replayRequest, requestText } from "../../support/fixtures/rest/exchange.ts";

/** Last route that was tried, and its response. */
const last = vi.hoisted(() => ({
  row: undefined as AnyRouteInfo | undefined,
  reply: undefined as RouteResponse | undefined,
}));

vi.mock("../../../src/http/router.ts", async (original) => {
  const { createRouter } = await original<{ createRouter: (routes: readonly unknown[]) => Router<unknown> }>();
  return {
    createRouter: (routes: readonly unknown[]): Router<unknown> => {
      const router = createRouter(routes);
      return async (request, context, onRow = () => {}) => {
        last.reply = await router(request, context, (row) => {
          last.row = row;
          onRow(row);
        });
        return last.reply;
      };
    },
  };
});

/** Freshness that a response may have for each dependence. */
const allowed: Readonly<Record<Dependence, readonly Freshness["kind"][]>> = {
  request: ["constant"],
  tip: ["state"],
  height: ["state"],
  final: ["state", "final"],
  // For a transaction on the chain the pool does not matter.
  pool: ["momentary", "state"],
  node: ["momentary"],
  clock: ["momentary"],
  chance: ["momentary"],
};
const readsChain: readonly Dependence[] = ["request", "tip", "height", "final"];

let node: TestNode;
/** Calls of ChainState. */
const calls: string[] = [];

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_795_223_923_917 });
  node = await validatingNode();
  const { env } = node;
  const namespace = env.CHAIN_STATE as unknown as {
    getByName: (name: string) => { call: (...args: string[]) => unknown };
  };
  const watched = {
    getByName: (name: string) => ({
      call: (...args: string[]) => {
        calls.push(args.slice(0, 2).join("."));
        return namespace.getByName(name).call(...args);
      },
    }),
  };
  Object.assign(env, { CHAIN_STATE: watched });
});
afterAll(() => {
  vi.useRealTimers();
});

/** Mismatch of a response and its route's declaration, as a message. */
async function findDependenceError(question: string, ask: () => Promise<unknown>): Promise<string | undefined> {
  calls.length = 0;
  Object.assign(last, { row: undefined, reply: undefined });
  await ask();
  const { row, reply } = last;
  if (row === undefined) return undefined;
  if (row.isPrivate !== true && readsChain.includes(row.dependsOn) && calls.length > 0)
    return `${question}: ChainState was asked for ${calls.join(", ")}`;
  if (reply === undefined || !("freshness" in reply)) return undefined;
  const { kind } = reply.freshness;
  // The response to a POST is not cached.
  const isOfNobody = row.method === "POST" && kind === "momentary";
  return isOfNobody || allowed[row.dependsOn].includes(kind)
    ? undefined
    : `${question}: ${row.path} depends on ${row.dependsOn} and answers what is ${kind}`;
}

test("every example is answered as its row says, and reads of the chain ask nothing of ChainState", async () => {
  const faults: string[] = [];
  const shown = new Set<Dependence>();
  for (const { info } of allRoutes)
    for (const operation of operationsOf(info))
      for (const example of operation.examples) {
        const { body } = example;
        const isText = typeof body === "string";
        const ask = () =>
          node.fetch(exampleUrl(operation, example), {
            method: operation.method,
            headers: {
              ...(body !== undefined && { "Content-Type": isText ? "text/plain" : "application/json" }),
              ...(operation.isPrivate && { "X-API-Key": "waves-private-node" }),
            },
            ...(body !== undefined && { body: isText ? body : jsonText(body) }),
          });
        const fault = await findDependenceError(`${operation.method} ${exampleUrl(operation, example)}`, ask);
        if (last.reply !== undefined && "freshness" in last.reply) shown.add(info.dependsOn);
        if (fault !== undefined) faults.push(fault);
      }
  expect(faults).toEqual([]);
  // Random responses have no examples.
  expect([...shown].sort()).toEqual(
    Object.keys(allowed)
      .filter((name) => name !== "chance")
      .sort(),
  );
});

test("every recorded request is answered as its row says, and reads of the chain ask nothing of ChainState", async () => {
  const faults: string[] = [];
  let looked = 0;
  for (const exchange of recordedLines<Exchange>("private-a/requests.jsonl.gz")) {
    const fault = await findDependenceError(requestText(exchange), () => replayRequest(node, exchange));
    if (last.reply !== undefined && "freshness" in last.reply) looked += 1;
    if (fault !== undefined) faults.push(fault);
  }
  expect(faults.slice(0, 20), `${faults.length} faults`).toEqual([]);
  expect(looked).toBeGreaterThan(1_000);
});
