/** Clients that connect during an attack, each from a new host on a connection of its own: the node must serve them. */
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Load, ResultCounts } from "./attack.ts";
import type { AttackedNode } from "./attacked-node.ts";
import { newcomer } from "./hosts.ts";
import { count } from "./socket-load.ts";

const PAUSE_MS = 100;
const LIMIT_MS = 10_000;
const SERVED = "newcomer: 200";
const NEWCOMER = "newcomer: ";

/** The load, with newcomers while it lasts. */
export function withNewcomers(node: AttackedNode, load: Load): Load {
  return async (options) => {
    const [outcomes, ofNewcomers] = await Promise.all([load(options), newcomers(node, options.signal)]);
    return new Map([...outcomes, ...ofNewcomers]);
  };
}

/** An error if a newcomer got no response, or if none connected. */
export function newcomerFaults(outcomes: ResultCounts): readonly string[] {
  const faults = [...outcomes]
    .filter(([name]) => name.startsWith(NEWCOMER) && name !== SERVED)
    .map(([name, times]) => `${name}, ${times} times`);
  return outcomes.has(SERVED) ? faults : [...faults, "no newcomer got a response"];
}

async function newcomers({ port }: AttackedNode, signal: AbortSignal): Promise<ResultCounts> {
  const outcomes: ResultCounts = new Map();
  for (let number = 1; !signal.aborted; number++) {
    const outcome = await visit(port, number, signal);
    if (!signal.aborted) count(outcomes, `${NEWCOMER}${outcome}`);
    await wait(PAUSE_MS);
  }
  return outcomes;
}

/** @returns a status, or the error's code */
function visit(port: number, number: number, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const request = http.get({
      ...{ host: "127.0.0.1", port, localAddress: newcomer(number), agent: false },
      ...{
        path: `/blocks/height?newcomer=${number}`,
        signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
      },
    });
    request.once("response", (response) => {
      response.resume();
      response.once("close", () => resolve(response.complete ? String(response.statusCode) : "cut off"));
    });
    request.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
  });
}
