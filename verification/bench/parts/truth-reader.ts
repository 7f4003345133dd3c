/** Client that reads all kinds of responses in all forms over one connection, and compares them. */
import { type ParsedJson, parseJson } from "../../../src/protocol/parse-json.ts";
import { findBlockErrors, findSequenceErrors, type PrintedBlock } from "./truth-checks.ts";
import { type Exchanged, TruthClient } from "./truth-client.ts";
import type { TruthWorld } from "./truth-world.ts";

const strings = "application/json;large-significand-format=string";
const accepts = [undefined, "application/json", "*/*", strings];
const origin = "http://dapp.example";
const kinds = [
  { kind: "sum", weight: 5 },
  { kind: "sumByPost", weight: 1 },
  { kind: "last", weight: 4 },
  { kind: "lastHeader", weight: 2 },
  { kind: "height", weight: 4 },
  { kind: "at", weight: 3 },
  { kind: "sequence", weight: 2 },
  { kind: "account", weight: 2 },
] as const;
const longestPauseMs = 6;

/** The last state seen over this connection. */
interface Observed {
  readonly height: number;
  readonly exchanged: Exchanged;
}

/** The last block seen, at the last height seen. */
interface ObservedBlock extends Observed {
  readonly block: PrintedBlock;
}

export class TruthReader {
  readonly #world: TruthWorld;
  readonly #client: TruthClient;
  readonly #maxAgeMs: number;
  readonly #tags = new Map<string, string>();
  #observed: Observed | undefined;
  #block: ObservedBlock | undefined;

  constructor(world: TruthWorld, url: string, maxAgeMs: number) {
    this.#world = world;
    this.#client = new TruthClient(url);
    this.#maxAgeMs = maxAgeMs;
  }

  /** Reads until a time. @param endMs by `performance.now()` */
  async run(endMs: number): Promise<void> {
    const { random } = this.#world;
    while (performance.now() < endMs) {
      await this.#readSome(random.pickByWeight(kinds).kind);
      await new Promise((resolve) => setTimeout(resolve, random.below(longestPauseMs)));
    }
    this.#client.close();
  }

  async #readSome(kind: (typeof kinds)[number]["kind"]): Promise<void> {
    const { random, addresses } = this.#world;
    const height = this.#observed?.height ?? 1;
    switch (kind) {
      case "sum": {
        const query = random.boolean(0.5) ? addresses : addresses.toReversed();
        return this.#read(`/addresses/balance?${query.map((address) => `address=${address}`).join("&")}`, (response) =>
          this.#checkSum(response),
        );
      }
      case "sumByPost":
        return this.#read("/addresses/balance", (response) => this.#checkSum(response), JSON.stringify({ addresses }));
      case "last":
        return this.#read("/blocks/last", (response) => this.#checkTip(response));
      case "lastHeader":
        return this.#read("/blocks/headers/last", (response) => this.#checkTip(response));
      case "height":
        return this.#read("/blocks/height", (response) => {
          this.#seeHeight(Number((JSON.parse(response.text) as { height: number }).height), undefined, response);
        });
      case "at": {
        const at = Math.max(height - random.below(4), 1);
        return this.#read(`/blocks/at/${at}`, (response) => {
          const block = blockOf(JSON.parse(response.text));
          this.#world.found("block at a height", [
            ...findBlockErrors(block, this.#world.findSent),
            ...(block.height === at ? [] : [`/blocks/at/${at} shows ${block.height}`]),
          ]);
        });
      }
      case "sequence": {
        const from = Math.max(height - 4, 1);
        return this.#read(`/blocks/seq/${from}/${from + 20}`, (response) => this.#checkSequence(response, from));
      }
      case "account":
        return this.#read(`/transactions/address/${random.pick(addresses)}/limit/50`, (response) => {
          const [list = []] = JSON.parse(response.text) as [{ height: number }[]];
          const isSorted = list.every(({ height: at }, index) => index === 0 || at <= (list[index - 1]?.height ?? 0));
          this.#world.found("transactions of an account", isSorted ? [] : ["they are not in order"]);
        });
    }
  }

  async #read(path: string, check: (response: Exchanged) => void, body?: string): Promise<void> {
    const { random, texts } = this.#world;
    const accept = random.pick(accepts);
    const hasOrigin = random.boolean(0.3);
    const request = `${body === undefined ? "GET" : "POST"} ${path} ${accept === strings ? "strings" : ""}`;
    const known = body === undefined && random.boolean(0.3) ? this.#tags.get(request) : undefined;
    const headers = {
      ...(accept !== undefined && { Accept: accept }),
      ...(hasOrigin && { Origin: origin }),
      ...(known !== undefined && { "If-None-Match": known }),
    };
    const response = await this.#client.request(path, { headers, ...(body !== undefined && { body }) });
    const { status, headers: responseHeaders } = response;
    // The block was rolled back.
    const isGone = status === 404 || status === 400;
    if (isGone && this.#world.isRolledBack(this.#observed?.exchanged.sentMs ?? 0, response.receivedMs)) {
      this.#observed = undefined;
      return;
    }
    const isUsable = status === 200 || (status === 304 && known !== undefined);
    const failure = `${request.slice(0, 60)}: ${status} ${response.text.slice(0, 200)}`;
    this.#world.found("answers", isUsable ? [] : [failure]);
    if (!isUsable) return;
    const allowed = responseHeaders["access-control-allow-origin"];
    const isForClient = allowed === (hasOrigin ? origin : undefined);
    this.#world.found("headers of the client", isForClient ? [] : [`${allowed} is allowed, asked from ${hasOrigin}`]);
    const tag = responseHeaders.etag;
    if (status === 304) {
      const isSame = tag === known && texts.has(request, known as string);
      this.#world.found("not modified", isSame ? [] : [`${request.slice(0, 60)}: ${known} is still ${tag}`]);
      return;
    }
    if (tag === undefined) {
      this.#world.found("tags", [`${request.slice(0, 60)} has none`]);
      return;
    }
    this.#tags.set(request, tag);
    this.#world.found("tags", texts.see(request, tag, response.text));
    check(response);
  }

  #checkSum(response: Exchanged): void {
    const list = parseJson(response.text) as unknown as readonly { readonly balance: ParsedJson }[];
    const sum = list.reduce((total, { balance }) => total + BigInt(balance as bigint | string), 0n);
    this.#world.states.seeSum(stateOf(response), sum, response.path);
  }

  #checkTip(response: Exchanged): void {
    const block = blockOf(JSON.parse(response.text));
    this.#world.found("last block", findBlockErrors(block, this.#world.findSent));
    this.#seeTip(block, response);
  }

  #checkSequence(response: Exchanged, from: number): void {
    const blocks = (JSON.parse(response.text) as unknown[]).map(blockOf);
    this.#world.found("blocks in sequence", [
      ...blocks.flatMap((block) => findBlockErrors(block, this.#world.findSent)),
      ...findSequenceErrors(blocks, from),
    ]);
    const tip = blocks.at(-1);
    if (tip !== undefined) this.#seeTip(tip, response);
  }

  #seeTip(block: PrintedBlock, response: Exchanged): void {
    const tag = stateOf(response);
    this.#world.found("states", this.#world.states.seeTip(tag, block));
    this.#world.seeTag(tag, block.height, response);
    this.#seeHeight(block.height, block, response);
  }

  #seeHeight(height: number, block: PrintedBlock | undefined, exchanged: Exchanged): void {
    const before = this.#observed;
    const last = this.#block;
    this.#observed = { height, exchanged };
    this.#block = block === undefined ? (last?.height === height ? last : undefined) : { height, block, exchanged };
    this.#world.seeTipHeight(height, exchanged, this.#maxAgeMs);
    const isUndone = (earlier: Observed) => this.#world.isRolledBack(earlier.exchanged.sentMs, exchanged.receivedMs);
    const errors: string[] = [];
    if (before !== undefined && height < before.height && !isUndone(before))
      errors.push(`${exchanged.path} went back from ${before.height} to ${height}`);
    if (block !== undefined && last?.height === height && !isUndone(last)) {
      // The same key block with fewer transactions.
      const lost = last.block.transactionCount - block.transactionCount;
      if (block.timestamp === last.block.timestamp && lost > 0)
        errors.push(
          `block ${height} lost ${lost} transactions: ${stateOf(last.exchanged)} (asked ${last.exchanged.path} at ${shortMs(last.exchanged.sentMs)}), then ${stateOf(exchanged)} (asked ${exchanged.path} at ${shortMs(exchanged.sentMs)})`,
        );
    }
    this.#world.found("order over a connection", errors);
  }
}

function shortMs(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

/** The state's tag, regardless of the form. */
function stateOf({ headers }: Exchanged): string {
  return (headers.etag ?? "").replaceAll('"', "").replace(/\/strings$/, "");
}

/** Parses a block; one of the forms has amounts as strings. */
function blockOf(json: unknown): PrintedBlock {
  const block = json as PrintedBlock;
  const { transactions } = block;
  return {
    ...block,
    totalFee: Number(block.totalFee),
    ...(block.reward !== undefined && { reward: Number(block.reward) }),
    ...(transactions !== undefined && { transactions: transactions.map(({ id, fee }) => ({ id, fee: Number(fee) })) }),
  };
}
