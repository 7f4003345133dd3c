/** The controls of a dev chain (`/dev/*`) as functions; the commands (`waves-edge-node mine`) and `startNode` go through them. */
import { type DataEntries, dataEntries } from "./data-entries.ts";
import { DevNodeError } from "./dev-node-error.ts";
import { exactJson } from "./exact-json.ts";

/** 10^-8 WAVES, or of another asset its smallest unit. A number must be whole and below 2^53. */
export type Amount = bigint | number;

/** How a dev chain is set up. */
export interface DevStatus {
  readonly height: number;
  /** What the chain's clock shows, ms since the epoch. */
  readonly time: number;
  /** Whether each transaction gets a block at once. */
  readonly automine: boolean;
  /** Between two blocks that come by themselves, ms of this machine's clock; null: none do. */
  readonly interval: number | null;
  readonly snapshots: readonly { readonly name: string; readonly height: number }[];
  /** Addresses whose transactions need no proofs. */
  readonly impersonated: readonly string[];
  /** The chain that this one goes on from; null: it is one of its own. */
  readonly fork: { readonly url: string; readonly height: number } | null;
}

/** Where the chain is. */
export interface ChainPoint {
  readonly height: number;
  /** What the chain's clock shows, ms since the epoch. */
  readonly time: number;
}

export interface DevClientOptions {
  /** Of the node: `http://127.0.0.1:6869`. */
  readonly url: string;
  readonly apiKey: string;
}

/** In base58; a public key has more. */
const MAX_ADDRESS_CHARACTERS = 36;

/** Any call may throw DevNodeError: what the node says against it, or that it is not there. */
export class DevClient {
  /** Where the node answers, without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;

  constructor({ url, apiKey }: DevClientOptions) {
    this.url = url.replace(/\/+$/, "");
    this.apiKey = apiKey;
  }

  status(): Promise<DevStatus> {
    return this.#json("GET", "/dev/status");
  }

  /**
   * Makes blocks; what waits in the pool goes into the first.
   * @param options `interval`: between the blocks, ms of the chain's clock
   */
  mine(blocks = 1, options: { readonly interval?: number } = {}): Promise<ChainPoint> {
    return this.#json("POST", "/dev/mine", { blocks, ...options });
  }

  /** Whether each transaction gets a block at once, before its broadcast is answered. */
  automine(enabled: boolean): Promise<DevStatus> {
    return this.#json("POST", "/dev/automine", { enabled });
  }

  /** Lets blocks come by themselves. @param milliseconds between two, of this machine's clock; null: none come */
  setInterval(milliseconds: number | null): Promise<DevStatus> {
    return this.#json("POST", "/dev/interval", { milliseconds });
  }

  /** Sets the chain's clock, which goes on from there. @param time ms since the epoch, not before the last block */
  setTime(time: number | Date): Promise<{ readonly time: number }> {
    return this.#json("POST", "/dev/setTime", { time: Number(time) });
  }

  /** Moves the chain's clock forward. */
  increaseTime(milliseconds: number): Promise<{ readonly time: number }> {
    return this.#json("POST", "/dev/increaseTime", { milliseconds });
  }

  /** Remembers the whole state. @param name by default the next number that is free */
  snapshot(name?: string): Promise<{ readonly name: string; readonly height: number }> {
    return this.#json("POST", "/dev/snapshot", { name });
  }

  /** Goes back to a snapshot, which stays; those that were taken after it are gone. */
  revert(name: string): Promise<ChainPoint> {
    return this.#json("POST", "/dev/revert", { name });
  }

  /** Goes back to the state right after the start. */
  reset(): Promise<{ readonly height: number }> {
    return this.#json("POST", "/dev/reset", {});
  }

  /** Sends WAVES from the rich account. @returns the transfer's id */
  fund(address: string, amount: Amount): Promise<{ readonly id: string; readonly height: number }> {
    return this.#json("POST", "/dev/fund", { address, amount });
  }

  /** From now on transactions of this sender need no proofs, or do again. */
  impersonate(address: string, enabled = true): Promise<DevStatus> {
    return this.#json("POST", "/dev/impersonate", { address, enabled });
  }

  /** Writes entries into an account's data; the others stay. */
  setData(address: string, entries: DataEntries): Promise<{ readonly height: number }> {
    return this.#json("POST", "/dev/setData", { address, entries: dataEntries(entries) });
  }

  /**
   * Puts a script on an account, without a transaction.
   * @param account its address; or its public key, by which the chain knows an account that has sent nothing yet
   * @param script `base64:...`, or source in Ride, which the node compiles; null: takes the script away
   */
  async setScript(account: string, script: string | null): Promise<{ readonly height: number }> {
    const isSource = script !== null && !script.startsWith("base64:");
    const named = account.length > MAX_ADDRESS_CHARACTERS ? { publicKey: account } : { address: account };
    return this.#json("POST", "/dev/setScript", { ...named, script: isSource ? await this.compile(script) : script });
  }

  /** Sets what an account has. @param assetId null: of WAVES */
  setBalance(address: string, amount: Amount, assetId: string | null = null): Promise<{ readonly height: number }> {
    return this.#json("POST", "/dev/setBalance", { address, assetId, amount });
  }

  /** Compiles source in Ride. @returns `base64:...` */
  async compile(source: string): Promise<string> {
    const answer = await this.#ask("POST", "/utils/script/compileCode", { type: "text/plain", content: source });
    return ((await answer.json()) as { readonly script: string }).script;
  }

  /** The whole state, for `load`. */
  async dump(): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#ask("GET", "/dev/dump")).arrayBuffer());
  }

  /** Puts the state of a dump in the place of this one. */
  async load(dump: Uint8Array): Promise<{ readonly height: number }> {
    const body = { type: "application/octet-stream", content: dump as Uint8Array<ArrayBuffer> };
    return (await this.#ask("POST", "/dev/load", body)).json() as Promise<{ readonly height: number }>;
  }

  async #json<Answer>(method: "GET" | "POST", path: string, value?: object): Promise<Answer> {
    const body = value === undefined ? undefined : { type: "application/json", content: exactJson(value) };
    return (await this.#ask(method, path, body)).json() as Promise<Answer>;
  }

  async #ask(
    method: "GET" | "POST",
    path: string,
    body?: { readonly type: string; readonly content: string | Uint8Array<ArrayBuffer> },
  ): Promise<Response> {
    const headers = { "X-Api-Key": this.apiKey, ...(body !== undefined && { "Content-Type": body.type }) };
    const request = { method, headers, ...(body !== undefined && { body: body.content }) };
    const answer = await fetch(`${this.url}${path}`, request).catch((cause: unknown) => {
      throw new DevNodeError(`There is no node at ${this.url}.`, { cause });
    });
    if (answer.ok) return answer;
    throw await refusal(answer, path);
  }
}

/** What the node says against a request. */
async function refusal(answer: Response, path: string): Promise<DevNodeError> {
  const text = await answer.text();
  const { error: code, message } = readRefusal(text);
  const { status } = answer;
  if (status === 404 && message === undefined) {
    return new DevNodeError(`The node has no ${path}: it is no dev chain (start it with --dev).`, { status });
  }
  return new DevNodeError(message ?? (text || `${path} was answered with ${status}.`), { status, code });
}

function readRefusal(text: string): { readonly error?: number; readonly message?: string } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
