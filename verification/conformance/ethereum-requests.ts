/** Requests of Ethereum wallets: every method with valid, odd and missing parameters, and bodies that are no calls. */
import { decodeBase58 } from "../../src/crypto/base58.ts";
import { concatBytes } from "../../src/crypto/bytes.ts";
import { hexText, readHex } from "../../src/crypto/hex.ts";
import { JsonDecimal, type JsonObject, type JsonValue, jsonText } from "../../src/protocol/json.ts";
import { gasPriceWei, weiPerWavelet } from "../../src/protocol/transactions/ethereum.ts";
import { decodeRlp, encodeRlpList, rlpInteger } from "../../src/protocol/transactions/rlp.ts";
import { rpcMethods } from "../../src/routes/eth/rpc-methods.ts";
import type { ChainWorld } from "../chain-generator/chain-world.ts";
import { ethereumInvoke } from "../chain-generator/invocations.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import { ethereumTransfer } from "../chain-generator/transfers.ts";
import type { ChainInventory } from "./chain-inventory.ts";
import type { NodeRequest } from "./node-requests.ts";

const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const addressBytes = 20;
/** Maximum length in characters: the reference rejects longer URLs. */
const maxQuery = 1_900;
const selectors = [
  "95d89b41",
  "313ce567",
  "70a08231",
  "01ffc9a7",
  "a9059cbb",
  "A9059CBB",
  "12345678",
  "95D89B41",
  "95d8",
];
const oddValues: readonly JsonValue[] = [
  ...[null, true, 5, -1, "", " ", "0x", "0", "0x0", "x", "zz", "0xzz", "0X12", "12", "latest", "Latest", "0x-5"],
  ...["0x+5", "0x7fffffff", "0x80000000", "0x-80000000", "0xffffffffffffffffff", "1x10", "é2", "\u0000"],
  ...[[], [1], {}, { to: 1 }],
];
const oddIds: readonly JsonValue[] = [1, 0, -7, "a", "", null, true, [], [1, "x"], {}, { id: 1 }, 2n ** 70n];
const oddBodies = [
  "",
  "[]",
  "[{}]",
  "5",
  '"x"',
  "null",
  "true",
  "{",
  "{}x",
  "[",
  "nul",
  " {} ",
  '{"method":}',
  "{'a':1}",
];
const oddTypes: readonly Readonly<Record<string, string>>[] = [
  { "Content-Type": "text/plain" },
  { "Content-Type": "application/json; charset=utf-8" },
  { "Content-Type": "APPLICATION/JSON" },
  { "Content-Type": "application/json-rpc" },
  form,
  { ...json, Accept: "application/json;large-significand-format=string" },
];

/** @param world at the tip of both nodes, at the present time */
export function* walletRequests(chain: ChainInventory, world: ChainWorld, count: number): Iterable<NodeRequest> {
  const maker = new ParameterGenerator(chain, world);
  const { random } = world;
  for (let made = 0; made < count; made++) {
    const { name } = random.pick(rpcMethods);
    const parameter = maker.parameter(name);
    const question = {
      route: `eth ${name}`,
      path: random.boolean(0.03) ? "/eth/" : "/eth",
      method: "POST",
      headers: random.boolean(0.05) ? random.pick(oddTypes) : json,
      body: jsonText(call(name, parameter, random)),
      // The result is the current time.
      ...(name === "eth_getTransactionCount" && { skipped: ["result"] }),
    } as const;
    yield question;
  }
  for (const body of [...oddBodies, ...oddCalls()])
    for (const headers of [json, ...oddTypes])
      yield { route: "eth of no call", path: "/eth", method: "POST", headers, body };
  for (const path of ["/eth", "/eth/", "/eth//", "/eth/x", "/eth/assets/", "/eth/abi", "/eth/abi/"]) {
    yield { route: "eth elsewhere", path };
    yield {
      route: "eth elsewhere",
      path,
      method: "POST",
      headers: json,
      body: jsonText(call("eth_chainId", undefined, random)),
    };
  }
  yield* tokenRequests(maker, random);
}

/**
 * Transactions signed by wallets, most of them with a mistake.
 * @param world at the tip of both nodes, at the present time
 */
export function* rawTransactions(world: ChainWorld, count: number): Iterable<NodeRequest> {
  const { random } = world;
  for (let made = 0; made < count; made++) {
    const bytes = signedBytes(world);
    if (bytes === undefined) continue;
    const text = hexText(random.boolean(0.4) ? bytes : damaged(bytes, random));
    const raw = random.boolean(0.1) ? oddHex(text, random) : text;
    yield {
      route: "eth eth_sendRawTransaction of a wallet",
      path: "/eth",
      method: "POST",
      headers: json,
      body: jsonText(call("eth_sendRawTransaction", raw, random)),
      // For an invalid signature that breaks the reference, the message is that of its virtual machine.
      isWrong: (answer) => jsonText(answer).includes('"message":"Cannot invoke'),
    };
  }
}

function call(method: JsonValue, parameter: JsonValue | undefined, random: SeededRandom): JsonObject {
  const rest = random.boolean(0.5) ? ["latest"] : random.boolean(0.1) ? [random.pick(oddValues)] : [];
  const isOdd = random.boolean(0.05);
  const params = isOdd
    ? random.pick([...oddValues, { 0: parameter ?? null }])
    : parameter === undefined
      ? []
      : [parameter, ...rest];
  return {
    ...(random.boolean(0.9) && { jsonrpc: random.boolean(0.9) ? "2.0" : random.pick(oddValues) }),
    ...(random.boolean(0.9) && { id: random.boolean(0.7) ? random.below(10_000) : oddId(random) }),
    ...(random.boolean(0.97) && {
      method: random.boolean(0.97) ? method : random.pick([...oddValues, "eth_accounts", "constructor"]),
    }),
    ...(random.boolean(0.95) && { params }),
    ...(random.boolean(0.1) && { origin: "wallet", networkClientId: { a: [1] } }),
  };
}

function oddId(random: SeededRandom): JsonValue {
  return random.boolean(0.2) ? new JsonDecimal(random.pick(["1.5", "-0.25"])) : random.pick(oddIds);
}

function oddCalls(): readonly string[] {
  const batch = { jsonrpc: "2.0", id: 1, method: "eth_chainId" };
  return [
    jsonText([batch]),
    jsonText(batch),
    `${jsonText(batch)}   `,
    '{"method":"eth_chainId","method":"eth_gasPrice","id":1,"id":2}',
    '{"id":1,"params":["0x1"],"params":[],"method":"eth_getBalance"}',
  ];
}

class ParameterGenerator {
  readonly #random: SeededRandom;
  readonly #world: ChainWorld;
  readonly accounts: readonly string[];
  readonly tokens: readonly string[];
  readonly #blocks: readonly string[];
  readonly #transactions: readonly string[];
  readonly #height: number;

  constructor(chain: ChainInventory, world: ChainWorld) {
    this.#world = world;
    this.#random = world.random;
    this.#height = chain.height;
    this.accounts = chain.accounts.map((text) => hexText(decodeBase58(text).subarray(2, 2 + addressBytes)));
    this.tokens = chain.assets.map((text) => hexText(decodeBase58(text).subarray(0, addressBytes)));
    this.#blocks = chain.blockIds.map((text) => hexText(decodeBase58(text)));
    this.#transactions = chain.transactions.map((text) => hexText(decodeBase58(text)));
  }

  parameter(method: string): JsonValue | undefined {
    const random = this.#random;
    if (random.boolean(0.04)) return undefined;
    if (random.boolean(0.12)) return random.pick(oddValues);
    const right = this.#rightParameter(method);
    return typeof right === "string" && random.boolean(0.15) ? oddHex(right, random) : right;
  }

  address(): string {
    const random = this.#random;
    const kind = random.below(10);
    if (kind === 0) return hexText(random.bytes(addressBytes));
    return kind < 5 && this.tokens.length > 0 ? random.pick(this.tokens) : random.pick(this.accounts);
  }

  #rightParameter(method: string): JsonValue {
    const random = this.#random;
    switch (method) {
      case "eth_getBlockByNumber":
        return random.pick(["earliest", "latest", "pending", `0x${random.below(this.#height + 5).toString(16)}`]);
      case "eth_getBlockByHash":
        return random.pick(random.boolean(0.9) ? this.#blocks : this.#transactions);
      case "eth_getTransactionReceipt":
      case "eth_getTransactionByHash":
        return random.pick(random.boolean(0.9) ? this.#transactions : this.#blocks);
      case "eth_call":
        return this.#withOddMembers({ to: this.address(), data: this.#callData() });
      case "eth_estimateGas":
        return this.#withOddMembers({
          to: this.address(),
          ...(random.boolean(0.5) && { value: this.#value() }),
          ...(random.boolean(0.7) && { data: this.#transactionData() }),
        });
      case "eth_sendRawTransaction":
        return hexText(random.bytes(random.below(100)));
      default:
        return this.address();
    }
  }

  #callData(): string {
    const random = this.#random;
    const account = random.boolean(0.8)
      ? this.address().slice(2).padStart(64, "0")
      : random.text(random.below(50), "0123456789abcdef");
    return `${random.boolean(0.9) ? "0x" : ""}${random.pick(selectors)}${account}`;
  }

  #value(): JsonValue {
    const random = this.#random;
    if (random.boolean(0.2)) return random.pick(oddValues);
    const value = random.amount(0n, 2n ** 63n) * random.pick([1n, weiPerWavelet, -weiPerWavelet]);
    return random.boolean(0.3) ? value.toString(16) : `0x${value.toString(16)}`;
  }

  #transactionData(): JsonValue {
    const random = this.#random;
    switch (random.below(5)) {
      case 0:
        return random.pick(oddValues);
      case 1:
        return `0x${random.text(random.below(80), "0123456789abcdefAFz")}`;
      case 2: {
        const bytes = signedBytes(this.#world);
        const data = bytes && partsOf(bytes)[dataPart];
        return data === undefined ? "0x" : hexText(data);
      }
      default: {
        const amount = random
          .pick([0n, 1n, random.amount(0n, 2n ** 64n), 2n ** 255n])
          .toString(16)
          .padStart(64, "0");
        const data = `0xa9059cbb${this.address().slice(2).padStart(64, "0")}${amount}`;
        return random.boolean(0.7) ? data : oddHex(data, random);
      }
    }
  }

  #withOddMembers(object: JsonObject): JsonObject {
    const random = this.#random;
    if (random.boolean(0.75)) return { from: this.address(), ...object };
    const name = random.pick(["to", "data", "value"]);
    if (random.boolean(0.3)) return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
    const value = object[name];
    return {
      ...object,
      [name]: typeof value === "string" && random.boolean(0.6) ? oddHex(value, random) : random.pick(oddValues),
    };
  }
}

function* tokenRequests({ tokens, accounts }: ParameterGenerator, random: SeededRandom): Iterable<NodeRequest> {
  const some = (): string => {
    if (random.boolean(0.05)) return String(random.pick(["", "0x", "0x00", "zz", "0xzz", "é"]));
    if (random.boolean(0.05)) return random.pick(accounts);
    const token = random.pick(tokens);
    return random.boolean(0.1) ? oddHex(token, random) : token;
  };
  if (tokens.length === 0) return;
  const path = "/eth/assets";
  for (const token of tokens) yield { route: "eth/assets", path: `${path}?id=${token}` };
  for (let made = 0; made < 60; made++) {
    const ids = Array.from({ length: random.pick([0, 1, 2, 3, 100, 101]) }, some);
    const query = new URLSearchParams(ids.map((id) => ["id", id])).toString();
    if (query.length < maxQuery) yield { route: "eth/assets", path: `${path}?${query}` };
    yield { route: "eth/assets", path, method: "POST", headers: form, body: query };
    yield { route: "eth/assets", path, method: "POST", headers: json, body: jsonText({ ids }) };
  }
  for (const body of [...oddBodies, '{"ids":5}', '{"ids":[5]}', '{"id":["0x00"]}', '{"ids":null}'])
    for (const headers of [json, ...oddTypes]) yield { route: "eth/assets", path, method: "POST", headers, body };
}

/** Odd spellings of the digits: in capitals, without the prefix, with too many or too few digits. */
function oddHex(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1);
  switch (random.below(7)) {
    case 0:
      return text.toUpperCase();
    case 1:
      return text.replace("0x", "");
    case 2:
      return text.slice(0, at);
    case 3:
      return text.slice(0, at) + random.pick(["z", "0", "00", " ", "é"]) + text.slice(at);
    case 4:
      return `${text}${random.pick(["0", "00", "z"])}`;
    case 5:
      return text.slice(0, at) + random.pick(["f", "g", "0"]) + text.slice(at + 1);
    default:
      return `0x${text.slice(2).toUpperCase()}`;
  }
}

/** Undefined while the chain lacks what such a transaction needs. */
function signedBytes(world: ChainWorld): Uint8Array | undefined {
  const transaction = world.random.pick([ethereumTransfer, ethereumInvoke]).make(world);
  return transaction !== undefined && "ethereumBytes" in transaction ? transaction.ethereumBytes : undefined;
}

function partsOf(bytes: Uint8Array): Uint8Array[] {
  const [list] = decodeRlp(bytes);
  return [...(list as readonly Uint8Array[])];
}

const dataPart = 5;
const oddParts = [
  new Uint8Array(0),
  Uint8Array.of(0),
  Uint8Array.of(1),
  Uint8Array.of(27),
  Uint8Array.of(28),
  Uint8Array.of(200),
  rlpInteger(gasPriceWei),
  rlpInteger(2n ** 63n - 1n),
  rlpInteger(2n ** 63n),
  rlpInteger(2n ** 63n * weiPerWavelet),
  new Uint8Array(32).fill(0xff),
  readHex("a9059cbb"),
] as const;

/**
 * The bytes with a part changed, removed or added, or one byte changed: the signature then belongs to another account
 * or to none.
 */
function damaged(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const parts = partsOf(bytes);
  const at = random.below(parts.length);
  const part = parts[at] as Uint8Array;
  switch (random.below(6)) {
    case 0:
      return encodeRlpList(parts.with(at, random.pick(oddParts)));
    case 1:
      return encodeRlpList(
        parts.with(at, part.length === 0 ? Uint8Array.of(1) : part.with(random.below(part.length), random.below(256))),
      );
    case 2:
      return encodeRlpList(random.boolean(0.5) ? parts.toSpliced(at, 1) : [...parts, part]);
    case 3:
      return encodeRlpList(
        parts.with(at, concatBytes(random.boolean(0.5) ? new Uint8Array(1) : random.bytes(1), part)),
      );
    case 4:
      return bytes.with(random.below(bytes.length), random.below(256));
    default:
      return random.boolean(0.5) ? bytes.slice(0, random.below(bytes.length)) : concatBytes(bytes, random.bytes(2));
  }
}
