/** Client of the live node's REST interface. It uses only public endpoints, and sends nothing about the fork. */

/** Response with information about the state; any other response is a `RemoteFault`. */
export interface RemoteReply {
  /** 200, or the 400 or 404 of an error of the catalogue. */
  readonly status: number;
  readonly text: string;
}

/** Request: a path of the interface, with a body for a POST. */
export interface RemoteQuestion {
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** The live node sent no response, or no usable one. */
export class RemoteFault extends Error {
  override readonly name = "RemoteFault";
}

export interface RemoteNodeFacts {
  /** URL without a slash at its end. */
  readonly url: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly pause: (ms: number) => Promise<void>;
}

/** Timeout of one response, including its body. */
const TIMEOUT_MS = 15_000;
/** Maximum size of a response. An account's data may be large; larger data is fetched in chunks, or not at all. */
const MAX_ANSWER_BYTES = 16 * 2 ** 20;
/** Pauses before each further try, ms. */
const RETRY_PAUSES_MS = [200, 1_000, 3_000] as const;
/** Maximum of concurrent requests: public nodes limit their clients. */
const MAX_UNDER_WAY = 4;

export class RemoteNode {
  readonly url: string;
  readonly #facts: RemoteNodeFacts;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: RemoteNodeFacts) {
    this.#facts = options;
    this.url = options.url;
  }

  /** @throws RemoteFault with a message that names path and status */
  async ask(request: RemoteQuestion): Promise<RemoteReply> {
    await this.#turn();
    try {
      return await this.#askWithRetries(request);
    } finally {
      this.#underWay -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    while (this.#underWay >= MAX_UNDER_WAY) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#underWay += 1;
  }

  async #askWithRetries(request: RemoteQuestion): Promise<RemoteReply> {
    for (const pauseMs of RETRY_PAUSES_MS) {
      const response = await this.#askOnce(request);
      if (!(response instanceof RemoteFault)) return response;
      await this.#facts.pause(pauseMs);
    }
    const response = await this.#askOnce(request);
    if (response instanceof RemoteFault) throw response;
    return response;
  }

  /** @returns RemoteFault: a retry may help @throws RemoteFault: it will not */
  async #askOnce(request: RemoteQuestion): Promise<RemoteReply | RemoteFault> {
    const { path, body } = request;
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
      return this.#fault(path, `failed: ${(cause as Error).message}`, cause);
    }
    const { status } = response;
    if (status === 200 || ((status === 400 || status === 404) && isCatalogued(text))) return { status, text };
    const error = this.#fault(path, `has status ${status}`);
    if (status === 429 || status >= 500) return error;
    throw error;
  }

  #fault(path: string, problem: string, cause?: unknown): RemoteFault {
    return new RemoteFault(`the response of ${this.url} to ${path} ${problem}`, { cause });
  }
}

/** Whether the text is an error of the interface, and not of a proxy before it. */
function isCatalogued(text: string): boolean {
  return /^\s*\{\s*"error"\s*:\s*\d+/.test(text);
}

/** @throws RemoteFault: too large; errors of reading */
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
