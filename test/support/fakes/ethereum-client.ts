/**
 * Wallet like MetaMask: it knows Ethereum's JSON-RPC, ABI and signatures, and nothing of this network. Written from the
 * standards, with no code of the node.
 * @source EIP-155; Ethereum Yellow Paper, appendix B; Ethereum contract ABI
 */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

/** Origin that is not the node's own. */
const origin = "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn";

export interface WalletTransaction {
  readonly to: string;
  readonly value?: bigint;
  readonly data?: string;
}

export interface AbiFunction {
  readonly name: string;
  readonly inputs: readonly AbiInput[];
}

interface AbiInput {
  readonly name: string;
  readonly type: string;
  readonly components?: readonly AbiInput[];
}

export class EthereumClient {
  readonly address: string;
  readonly #url: string;
  readonly #privateKey: Uint8Array;
  #lastId = 0;

  constructor(url: string, privateKey: Uint8Array) {
    this.#url = url;
    this.#privateKey = privateKey;
    const publicKey = secp256k1.getPublicKey(privateKey, false).slice(1);
    this.address = `0x${bytesToHex(keccak_256(publicKey).slice(-20))}`;
  }

  async call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
    this.#lastId++;
    const response = await fetch(`${this.#url}/eth`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: origin },
      body: JSON.stringify({ id: this.#lastId, jsonrpc: "2.0", method, params, networkClientId: "private", origin }),
    });
    if (response.headers.get("Access-Control-Allow-Origin") !== origin) throw new Error("a browser would refuse this");
    const body = (await response.json()) as {
      readonly id: number;
      readonly jsonrpc: string;
      readonly result: Result;
    };
    if (body.id !== this.#lastId || body.jsonrpc !== "2.0") throw new Error(JSON.stringify(body));
    return body.result;
  }

  /** Requests fee and nonce, signs and sends. @returns the id of the transaction */
  async send({ to, value = 0n, data = "0x" }: WalletTransaction): Promise<string> {
    const chainId = BigInt(await this.call<string>("eth_chainId"));
    const draft = { from: this.address, to, value: `0x${value.toString(16)}`, data };
    const gas = BigInt(await this.call<string>("eth_estimateGas", draft));
    const gasPrice = BigInt(await this.call<string>("eth_gasPrice"));
    const nonce = BigInt(await this.call<string>("eth_getTransactionCount", this.address, "pending"));
    const fields = [integer(nonce), integer(gasPrice), integer(gas), bytes(to), integer(value), bytes(data)];
    const hash = keccak_256(rlpList([...fields, integer(chainId), new Uint8Array(0), new Uint8Array(0)]));
    const signed = secp256k1.sign(hash, this.#privateKey, { prehash: false, format: "recovered" });
    const { r, s, recovery } = secp256k1.Signature.fromBytes(signed, "recovered");
    const v = chainId * 2n + 35n + BigInt(recovery ?? 0);
    const raw = rlpList([...fields, integer(v), integer(r), integer(s)]);
    const id = await this.call<unknown>("eth_sendRawTransaction", `0x${bytesToHex(raw)}`);
    if (typeof id !== "string") throw new Error(`refused: ${JSON.stringify(id)}`);
    return id;
  }
}

/**
 * Call data of a function. Values: texts, booleans, numbers as bigint, hexadecimal texts for bytes, lists for lists and
 * tuples.
 */
export function callData({ name, inputs }: AbiFunction, values: readonly unknown[]): string {
  const signature = `${name}(${inputs.map(signatureOf).join(",")})`;
  return `0x${bytesToHex(concatBytes(keccak_256(utf8ToBytes(signature)).slice(0, 4), encodeTuple(inputs, values)))}`;
}

function signatureOf({ type, components = [] }: AbiInput): string {
  return type.startsWith("tuple") ? `(${components.map(signatureOf).join(",")})${type.slice(5)}` : type;
}

/** Head with values of fixed size and offsets of the others, followed by the others. */
function encodeTuple(inputs: readonly AbiInput[], values: readonly unknown[]): Uint8Array {
  const parts = inputs.map((input, index) => ({ isFixed: isFixed(input), content: encodeValue(input, values[index]) }));
  let offset = parts.reduce((sum, { isFixed: inPlace, content }) => sum + (inPlace ? content.length : 32), 0);
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  for (const { isFixed: inPlace, content } of parts) {
    heads.push(inPlace ? content : word(BigInt(offset)));
    if (inPlace) continue;
    tails.push(content);
    offset += content.length;
  }
  return concatBytes(...heads, ...tails);
}

function isFixed({ type, components = [] }: AbiInput): boolean {
  return !type.endsWith("[]") && type !== "string" && type !== "bytes" && components.every(isFixed);
}

function encodeValue(input: AbiInput, value: unknown): Uint8Array {
  const { type, components = [] } = input;
  if (type.endsWith("[]")) {
    const items = value as readonly unknown[];
    const item = { ...input, type: type.slice(0, -2) };
    return concatBytes(
      word(BigInt(items.length)),
      encodeTuple(
        items.map(() => item),
        items,
      ),
    );
  }
  if (type === "tuple") return encodeTuple(components, value as readonly unknown[]);
  if (type === "string") return sized(utf8ToBytes(value as string));
  if (type === "bytes") return sized(bytes(value as string));
  if (type === "bytes32") return bytes(value as string);
  return word(BigInt(value as bigint | boolean));
}

function sized(content: Uint8Array): Uint8Array {
  return concatBytes(word(BigInt(content.length)), content, new Uint8Array((32 - (content.length % 32)) % 32));
}

function word(value: bigint): Uint8Array {
  return hexToBytes(BigInt.asUintN(256, value).toString(16).padStart(64, "0"));
}

function bytes(hex: string): Uint8Array {
  return hexToBytes(hex.slice(2));
}

function integer(value: bigint): Uint8Array {
  const digits = value === 0n ? "" : value.toString(16);
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
}

function rlpList(items: readonly Uint8Array[]): Uint8Array {
  const content = concatBytes(...items.map(rlpString));
  return concatBytes(rlpHead(0xc0, content.length), content);
}

function rlpString(item: Uint8Array): Uint8Array {
  return item.length === 1 && (item[0] ?? 0) < 0x80 ? item : concatBytes(rlpHead(0x80, item.length), item);
}

function rlpHead(base: number, size: number): Uint8Array {
  if (size <= 55) return Uint8Array.of(base + size);
  const sizeBytes = integer(BigInt(size));
  return concatBytes(Uint8Array.of(base + 55 + sizeBytes.length), sizeBytes);
}
