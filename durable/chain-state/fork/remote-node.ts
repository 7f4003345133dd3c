/** Client of the live node's REST interface. It uses only public endpoints, and sends nothing about the fork. */

/** Response with information about the state; any other response is a `RemoteNodeError`. */
export interface RemoteResponse {
  /** 200, or the 400 or 404 of an error of the catalogue. */
  readonly status: number;
  readonly text: string;
}

/** Request: a path of the interface, with a body for a POST. */
export interface RemoteRequest {
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** The live node sent no response, or no usable one. */
export class RemoteNodeError extends Error {
  override readonly name = "RemoteNodeError";
}

export interface RemoteNodeOptions {
  /** URL without a slash at its end. */
  readonly url: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly pause: (ms: number) => Promise<void>;
}

/** Timeout of one response, including its body. */
const TIMEOUT_MS = 15_000;
/** Maximum size of a response. An account's data may be large; larger data is fetched in chunks, or not at all. */
const MAX_RESPONSE_BYTES = 16 * 2 ** 20;
/** Pauses before each further try, ms. */
const RETRY_PAUSES_MS = [200, 1_000, 3_000] as const;
/** Maximum of concurrent requests: public nodes limit their clients. */
const MAX_IN_FLIGHT = 4;

export class RemoteNode {
  readonly url: string;
  readonly #options: RemoteNodeOptions;
  #inFlight = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: RemoteNodeOptions) {
    this.#options = options;
    this.url = options.url;
  }

  /** @throws RemoteNodeError with a message that names path and status */
  async request(request: RemoteRequest): Promise<RemoteResponse> {
    await this.#acquireSlot();
    try {
      return await this.#requestWithRetries(request);
    } finally {
      this.#inFlight -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #acquireSlot(): Promise<void> {
    while (this.#inFlight >= MAX_IN_FLIGHT) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#inFlight += 1;
  }

  async #requestWithRetries(request: RemoteRequest): Promise<RemoteResponse> {
    for (const pauseMs of RETRY_PAUSES_MS) {
      const response = await this.#requestOnce(request);
      if (!(response instanceof RemoteNodeError)) return response;
      await this.#options.pause(pauseMs);
    }
    const response = await this.#requestOnce(request);
    if (response instanceof RemoteNodeError) throw response;
    return response;
  }

  /** @returns RemoteFault: a retry may help @throws RemoteNodeError: it will not */
  async #requestOnce(request: RemoteRequest): Promise<RemoteResponse | RemoteNodeError> {
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
      response = await this.#options.fetch(`${this.url}${path}`, init);
      text = await boundedText(response);
    } catch (cause) {
      if (cause instanceof RemoteNodeError) throw this.#error(path, cause.message);
      return this.#error(path, `failed: ${(cause as Error).message}`, cause);
    }
    const { status } = response;
    if (status === 200 || ((status === 400 || status === 404) && isCatalogued(text))) return { status, text };
    const error = this.#error(path, `has status ${status}`);
    if (status === 429 || status >= 500) return error;
    throw error;
  }

  #error(path: string, problem: string, cause?: unknown): RemoteNodeError {
    return new RemoteNodeError(`the response of ${this.url} to ${path} ${problem}`, { cause });
  }
}

/** Whether the text is an error of the interface, and not of a proxy before it. */
function isCatalogued(text: string): boolean {
  return /^\s*\{\s*"error"\s*:\s*\d+/.test(text);
}

/** @throws RemoteNodeError: too large; errors of reading */
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
    if (sizeBytes > MAX_RESPONSE_BYTES) {
      await reader.cancel();
      throw new RemoteNodeError(`has more than ${MAX_RESPONSE_BYTES} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
