/**
 * Another script evaluator without a node: it receives the accounts once, and then script by script. `POST /world`
 * takes `{accounts: [{address, data, balance, script}]}`, `POST /evaluate` takes `{script, address, call?}` and returns
 * `{result, complexity}`, or `{message}` when the script fails.
 */
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { encodeBase64 } from "../../src/crypto/base64.ts";
import { type JsonObject, jsonText } from "../../src/protocol/json.ts";
import { type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";
import type { ScriptDataValue } from "../../src/ride/evaluator/environment.ts";
import type { FuzzCall } from "./dapp-writer.ts";
import type { FuzzWorld } from "./fuzz-world.ts";

/** A script with a call of one of its functions, or without. */
export interface ScriptRun {
  readonly script: Uint8Array;
  readonly address: Uint8Array;
  readonly call: FuzzCall | undefined;
}

export type Verdict = { readonly result: ParsedObject; readonly complexity: bigint } | { readonly message: string };

export class LangEvaluator {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url.replace(/\/$/, "");
  }

  async setWorld({ accounts }: FuzzWorld): Promise<void> {
    const body = [...accounts.values()].map(({ address, data, balance, script }) => ({
      address: encodeBase58(address),
      data: [...data].map(([key, value]) => ({ key, ...dataJson(value) })),
      balance: { ...balance },
      script: script === undefined ? null : encodeBase64(script),
    }));
    await this.#request("/world", { accounts: body });
  }

  /** @throws Error the evaluator itself failed */
  async evaluate({ script, address, call }: ScriptRun): Promise<Verdict> {
    const body = { script: encodeBase64(script), address: encodeBase58(address) };
    return await this.#request("/evaluate", call === undefined ? body : { ...body, call: { ...call } });
  }

  async #request(path: string, body: JsonObject): Promise<Verdict> {
    const response = await fetch(this.#url + path, { method: "POST", body: jsonText(body) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`the evaluator failed: ${text.slice(0, 500)}`);
    return parseJson(text) as unknown as Verdict;
  }
}

function dataJson(value: ScriptDataValue): JsonObject {
  if (value instanceof Uint8Array) return { type: "binary", value: encodeBase64(value) };
  return { type: typeof value === "bigint" ? "integer" : typeof value, value };
}
