/** One client that reads all kinds of answers in all kinds of forms over one connection, and holds them against each other. */
import { type ParsedJson, parseJson } from "../../../src/protocol/parse-json.ts";
import { blockFaults, type PrintedBlock, sequenceFaults } from "./truth-checks.ts";
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

/** What was shown last over this connection. */
interface Shown {
  readonly block: PrintedBlock | undefined;
  readonly height: number;
  readonly exchanged: Exchanged;
}

export class TruthReader {
  readonly #world: TruthWorld;
  readonly #client: TruthClient;
  readonly #maxAgeMs: number;
  readonly #tags = new Map<string, string>();
  #shown: Shown | undefined;

  constructor(world: TruthWorld, url: string, maxAgeMs: number) {
    this.#world = world;
    this.#client = new TruthClient(url);
    this.#maxAgeMs = maxAgeMs;
  }

  /** Reads until the time. @param endMs by `performance.now()` */
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
    const height = this.#shown?.height ?? 1;
    switch (kind) {
      case "sum": {
        const query = random.chance(0.5) ? addresses : addresses.toReversed();
        return this.#read(`/addresses/balance?${query.map((address) => `address=${address}`).join("&")}`, (answer) =>
          this.#checkSum(answer),
        );
      }
      case "sumByPost":
        return this.#read("/addresses/balance", (answer) => this.#checkSum(answer), JSON.stringify({ addresses }));
      case "last":
        return this.#read("/blocks/last", (answer) => this.#checkTip(answer));
      case "lastHeader":
        return this.#read("/blocks/headers/last", (answer) => this.#checkTip(answer));
      case "height":
        return this.#read("/blocks/height", (answer) => {
          this.#seeHeight(Number((JSON.parse(answer.text) as { height: number }).height), undefined, answer);
        });
      case "at": {
        const at = Math.max(height - random.below(4), 1);
        return this.#read(`/blocks/at/${at}`, (answer) => {
          const block = blockOf(JSON.parse(answer.text));
          this.#world.found("block at a height", [
            ...blockFaults(block, this.#world.findSent),
            ...(block.height === at ? [] : [`/blocks/at/${at} shows ${block.height}`]),
          ]);
        });
      }
      case "sequence": {
        const from = Math.max(height - 4, 1);
        return this.#read(`/blocks/seq/${from}/${from + 20}`, (answer) => this.#checkSequence(answer, from));
      }
      case "account":
        return this.#read(`/transactions/address/${random.pick(addresses)}/limit/50`, (answer) => {
          const [list = []] = JSON.parse(answer.text) as [{ height: number }[]];
          const isSorted = list.every(({ height: at }, index) => index === 0 || at <= (list[index - 1]?.height ?? 0));
          this.#world.found("transactions of an account", isSorted ? [] : ["they are not in order"]);
        });
    }
  }

  async #read(path: string, check: (answer: Exchanged) => void, body?: string): Promise<void> {
    const { random, texts } = this.#world;
    const accept = random.pick(accepts);
    const hasOrigin = random.chance(0.3);
    const question = `${body === undefined ? "GET" : "POST"} ${path} ${accept === strings ? "strings" : ""}`;
    const known = body === undefined && random.chance(0.3) ? this.#tags.get(question) : undefined;
    const headers = {
      ...(accept !== undefined && { Accept: accept }),
      ...(hasOrigin && { Origin: origin }),
      ...(known !== undefined && { "If-None-Match": known }),
    };
    const answer = await this.#client.ask(path, { headers, ...(body !== undefined && { body }) });
    const { status, headers: answered } = answer;
    // What is rolled back is no longer there.
    const isGone = status === 404 || status === 400;
    if (isGone && this.#world.isRolledBack(this.#shown?.exchanged.sentMs ?? 0, answer.answeredMs)) {
      this.#shown = undefined;
      return;
    }
    const isAsked = status === 200 || (status === 304 && known !== undefined);
    const failure = `${question.slice(0, 60)}: ${status} ${answer.text.slice(0, 200)}`;
    this.#world.found("answers", isAsked ? [] : [failure]);
    if (!isAsked) return;
    const allowed = answered["access-control-allow-origin"];
    const isForClient = allowed === (hasOrigin ? origin : undefined);
    this.#world.found("headers of the client", isForClient ? [] : [`${allowed} is allowed, asked from ${hasOrigin}`]);
    const tag = answered.etag;
    if (status === 304) {
      const isSame = tag === known && texts.has(question, known as string);
      this.#world.found("not modified", isSame ? [] : [`${question.slice(0, 60)}: ${known} is still ${tag}`]);
      return;
    }
    if (tag === undefined) {
      this.#world.found("tags", [`${question.slice(0, 60)} has none`]);
      return;
    }
    this.#tags.set(question, tag);
    this.#world.found("tags", texts.see(question, tag, answer.text));
    check(answer);
  }

  #checkSum(answer: Exchanged): void {
    const list = parseJson(answer.text) as unknown as readonly { readonly balance: ParsedJson }[];
    const sum = list.reduce((total, { balance }) => total + BigInt(balance as bigint | string), 0n);
    this.#world.states.seeSum(stateOf(answer), sum, answer.path);
  }

  #checkTip(answer: Exchanged): void {
    const block = blockOf(JSON.parse(answer.text));
    this.#world.found("last block", blockFaults(block, this.#world.findSent));
    this.#seeTip(block, answer);
  }

  #checkSequence(answer: Exchanged, from: number): void {
    const blocks = (JSON.parse(answer.text) as unknown[]).map(blockOf);
    this.#world.found("blocks in sequence", [
      ...blocks.flatMap((block) => blockFaults(block, this.#world.findSent)),
      ...sequenceFaults(blocks, from),
    ]);
    const tip = blocks.at(-1);
    if (tip !== undefined) this.#seeTip(tip, answer);
  }

  #seeTip(block: PrintedBlock, answer: Exchanged): void {
    const tag = stateOf(answer);
    this.#world.found("states", this.#world.states.seeTip(tag, block));
    this.#world.seeTag(tag, block.height, answer);
    this.#seeHeight(block.height, block, answer);
  }

  #seeHeight(height: number, block: PrintedBlock | undefined, exchanged: Exchanged): void {
    const before = this.#shown;
    this.#shown = { height, block: block ?? (before?.height === height ? before.block : undefined), exchanged };
    this.#world.seeTipHeight(height, exchanged, this.#maxAgeMs);
    if (before === undefined || this.#world.isRolledBack(before.exchanged.sentMs, exchanged.answeredMs)) return;
    const faults: string[] = [];
    if (height < before.height) faults.push(`${exchanged.path} went back from ${before.height} to ${height}`);
    const last = before.block;
    if (block !== undefined && last !== undefined && height === last.height) {
      // The same key block, with fewer of what came to it.
      if (block.timestamp === last.timestamp && block.transactionCount < last.transactionCount)
        faults.push(`block ${height} lost ${last.transactionCount - block.transactionCount} transactions`);
    }
    this.#world.found("order over a connection", faults);
  }
}

/** The tag of the state, whatever the form. */
function stateOf({ headers }: Exchanged): string {
  return (headers.etag ?? "").replaceAll('"', "").replace(/\/strings$/, "");
}

/** Amounts are strings in one of the forms. */
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
