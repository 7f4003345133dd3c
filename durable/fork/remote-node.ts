/**
 * The node behind a fork, over its REST interface. It is asked only what every node answers to everybody, and never told
 * anything of the fork.
 */

/** What was answered. Only answers that say something about the state are given: anything else is a `RemoteFault`. */
export interface RemoteReply {
  /** 200, or the 400 or 404 of an error of the catalogue. */
  readonly status: number;
  readonly text: string;
}

/** A question: a path of the interface, with a body where it is posted. */
export interface RemoteQuestion {
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** The node behind the fork did not answer, or not in a way that says anything. */
export class RemoteFault extends Error {
  override readonly name = "RemoteFault";
}

export interface RemoteNodeFacts {
  /** Without a slash at its end. */
  readonly url: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly pause: (ms: number) => Promise<void>;
}

/** For one answer, its body included. */
const TIMEOUT_MS = 15_000;
/** An account's data may be large; what is larger than this is asked for in parts, or not at all. */
const MAX_ANSWER_BYTES = 16 * 2 ** 20;
/** Pauses before each further try, ms. */
const RETRY_PAUSES_MS = [200, 1_000, 3_000] as const;
/** Questions that are under way at a time: public nodes bound what one client may ask. */
const MAX_UNDER_WAY = 4;

export class RemoteNode {
  readonly url: string;
  readonly #facts: RemoteNodeFacts;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(facts: RemoteNodeFacts) {
    this.#facts = facts;
    this.url = facts.url;
  }

  /** @throws RemoteFault with a sentence that names path and status */
  async ask(question: RemoteQuestion): Promise<RemoteReply> {
    await this.#turn();
    try {
      return await this.#askWithRetries(question);
    } finally {
      this.#underWay -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    while (this.#underWay >= MAX_UNDER_WAY) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#underWay += 1;
  }

  async #askWithRetries(question: RemoteQuestion): Promise<RemoteReply> {
    for (const pauseMs of RETRY_PAUSES_MS) {
      const reply = await this.#askOnce(question);
      if (!(reply instanceof RemoteFault)) return reply;
      await this.#facts.pause(pauseMs);
    }
    const reply = await this.#askOnce(question);
    if (reply instanceof RemoteFault) throw reply;
    return reply;
  }

  /** @returns RemoteFault: it may help to ask again @throws RemoteFault: it will not */
  async #askOnce(question: RemoteQuestion): Promise<RemoteReply | RemoteFault> {
    const { path, body } = question;
    const init: RequestInit = {
      headers: { Accept: "application/json", ...(body !== undefined && { "Content-Type": "application/json" }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
      ...(body !== undefined && { method: "POST", body }),
    };
    let response: Response;
    let text: string;
    try {
      response = await this.#facts.fetch(`${this.url}${path}`, init);
      text = await boundedText(response);
    } catch (cause) {
      if (cause instanceof RemoteFault) throw this.#fault(path, cause.message);
      return this.#fault(path, `did not come: ${(cause as Error).message}`, cause);
    }
    const { status } = response;
    if (status === 200 || ((status === 400 || status === 404) && isCatalogued(text))) return { status, text };
    const fault = this.#fault(path, `has status ${status}`);
    if (status === 429 || status >= 500) return fault;
    throw fault;
  }

  #fault(path: string, what: string, cause?: unknown): RemoteFault {
    return new RemoteFault(`the answer of ${this.url} to ${path} ${what}`, { cause });
  }
}

/** An error of the interface, and not of something that stands before it. */
function isCatalogued(text: string): boolean {
  return /^\s*\{\s*"error"\s*:\s*\d+/.test(text);
}

/** @throws RemoteFault: it is too large; what reading throws */
async function boundedText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let sizeBytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    sizeBytes += value.length;
    if (sizeBytes > MAX_ANSWER_BYTES) {
      await reader.cancel();
      throw new RemoteFault(`has more than ${MAX_ANSWER_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
