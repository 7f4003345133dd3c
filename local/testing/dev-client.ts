/**
 * The controls of a dev chain (`/dev/*`) as functions, used by the commands (`waves-edge-node mine`) and by
 * `startNode`.
 */
import { type DataEntries, dataEntries } from "./data-entries.ts";
import { DevNodeError } from "./dev-node-error.ts";
import { exactJson } from "./exact-json.ts";

/** Wavelets, or the smallest unit of another asset. A number must be an integer below 2^53. */
export type Amount = bigint | number;

/** Settings of a dev chain. */
export interface DevStatus {
  readonly height: number;
  /** The chain's clock, ms since the epoch. */
  readonly time: number;
  /** True: each transaction gets a block at once. */
  readonly automine: boolean;
  /** Time between automatic blocks, ms of this machine's clock; null: off. */
  readonly interval: number | null;
  readonly snapshots: readonly { readonly name: string; readonly height: number }[];
  /** Addresses whose transactions need no proofs. */
  readonly impersonated: readonly string[];
  /** Origin of a fork; null: not a fork. */
  readonly fork: { readonly url: string; readonly height: number } | null;
}

/** Tip of the chain. */
export interface ChainPoint {
  readonly height: number;
  /** The chain's clock, ms since the epoch. */
  readonly time: number;
}

export interface DevClientOptions {
  /** URL of the node: `http://127.0.0.1:6869`. */
  readonly url: string;
  readonly apiKey: string;
}

/** Longest address in base58; a public key is longer. */
const MAX_ADDRESS_CHARACTERS = 36;

/** Client of a dev chain. Any call may throw DevNodeError: the node refused it, or is not running. */
export class DevClient {
  /** URL of the node, without a slash at the end. */
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
   * Mines blocks; the pool's transactions go into the first.
   * @param options `interval`: time between the blocks, ms of the chain's clock
   */
  mine(blocks = 1, options: { readonly interval?: number } = {}): Promise<ChainPoint> {
    return this.#json("POST", "/dev/mine", { blocks, ...options });
  }

  /** Turns automine on or off: each transaction gets a block at once, before its broadcast returns. */
  automine(enabled: boolean): Promise<DevStatus> {
    return this.#json("POST", "/dev/automine", { enabled });
  }

  /** Mines a block at each interval. @param milliseconds of this machine's clock; null: off */
  setInterval(milliseconds: number | null): Promise<DevStatus> {
    return this.#json("POST", "/dev/interval", { milliseconds });
  }

  /** Sets the chain's clock, which runs on from there. @param time ms since the epoch, not before the last block */
  setTime(time: number | Date): Promise<{ readonly time: number }> {
    return this.#json("POST", "/dev/setTime", { time: Number(time) });
  }

  /** Moves the chain's clock forward. */
  increaseTime(milliseconds: number): Promise<{ readonly time: number }> {
    return this.#json("POST", "/dev/increaseTime", { milliseconds });
  }

  /** Saves the whole state. @param name default: the next free number */
  snapshot(name?: string): Promise<{ readonly name: string; readonly height: number }> {
    return this.#json("POST", "/dev/snapshot", { name });
  }

  /** Returns to a snapshot, which stays. Later snapshots are deleted. */
  revert(name: string): Promise<ChainPoint> {
    return this.#json("POST", "/dev/revert", { name });
  }

  /** Returns to the state right after the start. */
  reset(): Promise<{ readonly height: number }> {
    return this.#json("POST", "/dev/reset", {});
  }

  /** Sends WAVES from the master account. @returns the transfer's id */
  fund(address: string, amount: Amount): Promise<{ readonly id: string; readonly height: number }> {
    return this.#json("POST", "/dev/fund", { address, amount });
  }

  /** Lets transactions of this sender through without proofs, or stops that. */
  impersonate(address: string, enabled = true): Promise<DevStatus> {
    return this.#json("POST", "/dev/impersonate", { address, enabled });
  }

  /** Writes data entries of an account; its other entries stay. */
  setData(address: string, entries: DataEntries): Promise<{ readonly height: number }> {
    return this.#json("POST", "/dev/setData", { address, entries: dataEntries(entries) });
  }

  /**
   * Sets an account's script, without a transaction.
   * @param account its address, or its public key if the account has sent nothing yet
   * @param script `base64:...`, or Ride source, which the node compiles; null: removes the script
   */
  async setScript(account: string, script: string | null): Promise<{ readonly height: number }> {
    const isSource = script !== null && !script.startsWith("base64:");
    const named = account.length > MAX_ADDRESS_CHARACTERS ? { publicKey: account } : { address: account };
    return this.#json("POST", "/dev/setScript", { ...named, script: isSource ? await this.compile(script) : script });
  }

  /** Sets an account's balance. @param assetId null: WAVES */
  setBalance(address: string, amount: Amount, assetId: string | null = null): Promise<{ readonly height: number }> {
    return this.#json("POST", "/dev/setBalance", { address, assetId, amount });
  }

  /** Compiles Ride source. @returns `base64:...` */
  async compile(source: string): Promise<string> {
    const response = await this.#request("POST", "/utils/script/compileCode", { type: "text/plain", content: source });
    return ((await response.json()) as { readonly script: string }).script;
  }

  /** The whole state, for `load`. */
  async dump(): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#request("GET", "/dev/dump")).arrayBuffer());
  }

  /** Replaces the state with a dump. */
  async load(dump: Uint8Array): Promise<{ readonly height: number }> {
    const body = { type: "application/octet-stream", content: dump as Uint8Array<ArrayBuffer> };
    return (await this.#request("POST", "/dev/load", body)).json() as Promise<{ readonly height: number }>;
  }

  async #json<Result>(method: "GET" | "POST", path: string, value?: object): Promise<Result> {
    const body = value === undefined ? undefined : { type: "application/json", content: exactJson(value) };
    return (await this.#request(method, path, body)).json() as Promise<Result>;
  }

  async #request(
    method: "GET" | "POST",
    path: string,
    body?: { readonly type: string; readonly content: string | Uint8Array<ArrayBuffer> },
  ): Promise<Response> {
    const headers = { "X-Api-Key": this.apiKey, ...(body !== undefined && { "Content-Type": body.type }) };
    const request = { method, headers, ...(body !== undefined && { body: body.content }) };
    const response = await fetch(`${this.url}${path}`, request).catch((cause: unknown) => {
      throw new DevNodeError(`There is no node at ${this.url}.`, { cause });
    });
    if (response.ok) return response;
    throw await refusal(response, path);
  }
}

/** The node's error response as an exception. */
async function refusal(response: Response, path: string): Promise<DevNodeError> {
  const text = await response.text();
  const { error: code, message } = readRefusal(text);
  const { status } = response;
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
