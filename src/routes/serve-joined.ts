/** Posts that the server before the Worker hands over together: each is answered as if it had come alone. */
import { concatBytes } from "../crypto/bytes.ts";
import type { Env } from "../env.ts";
import { joinedAnswer, joinedHeader, splitJoined } from "../http/joined-posts.ts";
import { mismatch } from "../http/kind.ts";
import { RequestWork } from "../http/request-work.ts";
import { RouteRequest } from "../http/route-request.ts";
import { NetworkSettingsError } from "../network/settings-error.ts";
import { hasCopies, type NodeServices, servicesOf } from "./node-services.ts";
import type { RequestedNode } from "./requested-node.ts";
import { madeAnswer } from "./serve.ts";

/** How long an answer waits for others that are as good as ready. */
const MAX_TURNS = 10;

/** @returns undefined: the request is one like any other */
export function serveJoined(request: Request, env: Env, execution: ExecutionContext): Promise<Response> | undefined {
  // On Cloudflare no such server stands before the Worker.
  if (hasCopies(env) || request.method !== "POST") return undefined;
  const header = request.headers.get(joinedHeader);
  const services = header === null ? undefined : knownServices(env);
  return header === null || services === undefined
    ? undefined
    : answerAll(header, { services, env, execution, request });
}

/** @returns undefined: the settings are wrong, which `serve` says */
function knownServices(env: Env): NodeServices | undefined {
  try {
    return servicesOf(env);
  } catch (error) {
    if (error instanceof NetworkSettingsError) return undefined;
    throw error;
  }
}

async function answerAll(header: string, shared: Shared): Promise<Response> {
  const { request } = shared;
  const bodies = splitJoined(header, new Uint8Array(await request.arrayBuffer()));
  if (bodies === mismatch) return new Response(null, { status: 400 });
  const ready = new ReadyAnswers(bodies.length);
  for (const [number, body] of bodies.entries())
    answerOne({ body, number }, shared).then(
      (answer) => ready.add(answer),
      (error: unknown) => ready.fail(error),
    );
  const first = await ready.some();
  const headers = { [joinedHeader]: String(bodies.length) };
  return new Response(ready.isAll ? first : streamOf(first, ready), { headers });
}

/** Who was ready sooner does not wait for the others. */
function streamOf(first: Uint8Array, ready: ReadyAnswers): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first),
    pull: async (controller) => {
      if (ready.isAll) controller.close();
      else controller.enqueue(await ready.some());
    },
  });
}

interface Joined {
  readonly body: Uint8Array;
  readonly number: number;
}

/** What all of them meet. */
type Shared = Omit<RequestedNode, "work">;

async function answerOne({ body, number }: Joined, shared: Shared): Promise<Uint8Array> {
  const work = new RequestWork(Date.now());
  const routed = RouteRequest.withBody(shared.request, body);
  const { written, headers } = await madeAnswer({ ...shared, work, isJoined: true }, { key: undefined, routed });
  shared.services.requests.record(work, written.status);
  const text = typeof written.body === "string" ? written.body : await new Response(written.body).text();
  return joinedAnswer(number, { status: written.status, headers, body: text });
}

/** Answers that wait to be sent. */
class ReadyAnswers {
  #left: number;
  #waiting: Uint8Array[] = [];
  #woken = Promise.withResolvers<void>();

  constructor(count: number) {
    this.#left = count;
  }

  /** Whether there is nothing more to come. */
  get isAll(): boolean {
    return this.#left === 0 && this.#waiting.length === 0;
  }

  add(answer: Uint8Array): void {
    this.#left--;
    this.#waiting.push(answer);
    this.#woken.resolve();
  }

  /** One of them could not be made: neither are those that are still to come. */
  fail(error: unknown): void {
    this.#woken.reject(error);
  }

  /** Those that are ready, once there is one. */
  async some(): Promise<Uint8Array> {
    await this.#woken.promise;
    // One call answers many, but the code of some takes a few turns more.
    for (let turn = 0; turn < MAX_TURNS && this.#left > 0; turn++) await undefined;
    const taken = this.#waiting;
    this.#waiting = [];
    this.#woken = Promise.withResolvers();
    return concatBytes(...taken);
  }
}
