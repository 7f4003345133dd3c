/** transferTransactionFromProto: messages with invalid values, in encodings that no encoder writes. */
import { addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { writtenBytes } from "../../../src/protocol/codec/byte-writer.ts";
import { writeDelimited } from "../../../src/protocol/codec/protobuf.ts";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import { call, ref } from "../../../src/ride/functions/tree.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { binaryArgument, type FuzzFamily } from "./family.ts";
import { callableDApp } from "./tree-dapp.ts";

const transferFromProto = 1070;
const libraryVersions = [4, 5, 6];
const chainId = "R".charCodeAt(0);

/** Field numbers of `SignedTransaction`, `Transaction`, `TransferTransactionData`, `Amount` and `Recipient`. */
const signed = { transaction: 1, proofs: 2, ethereum: 3 } as const;
const transaction = { chainId: 1, sender: 2, fee: 3, timestamp: 4, version: 5, transfer: 104 } as const;
const transfer = { recipient: 1, amount: 2, attachment: 3 } as const;
const amount = { assetId: 1, amount: 2 } as const;
const recipient = { hash: 1, alias: 2 } as const;

export const transferFamily: FuzzFamily = {
  name: "transfer",
  summary: "transferTransactionFromProto of messages with fields of any size, left out, unknown or twice",
  dApps: (random, count) =>
    libraryVersions.map((libraryVersion, index) => {
      const callable = {
        name: "transfer",
        parameters: [["bytes", "binary"] as const],
        body: call(transferFromProto, ref("bytes")),
      };
      const own = Math.floor((count + index) / libraryVersions.length);
      const calls = Array.from({ length: own }, () => {
        const bytes = new TransferWriter(random).signed();
        const cut = random.boolean(0.03) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
        return { function: "transfer", args: [binaryArgument(cut)], note: Buffer.from(cut).toString("hex") };
      });
      return callableDApp(libraryVersion, [callable], calls);
    }),
};

class TransferWriter {
  readonly #random: SeededRandom;
  /** Probability of each irregularity. */
  readonly #oddity: number;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#oddity = random.pick([0.01, 0.05, 0.15]);
  }

  signed(): Uint8Array {
    const random = this.#random;
    const count = this.#usual([0, 1, 1, 8], [9, 10]);
    const proofs = Array.from({ length: count }, () => delimited(signed.proofs, this.#sized([64], [0, 1, 63, 65])));
    const content = this.#isOdd()
      ? delimited(signed.ethereum, random.bytes(random.below(40)))
      : delimited(signed.transaction, this.#transaction());
    return this.#message([content, ...proofs]);
  }

  #transaction(): Uint8Array {
    const random = this.#random;
    const data = this.#isOdd()
      ? delimited(random.pick([101, 102, 103, 105, 110, 111, 113, 120, 130]), random.bytes(random.below(3)))
      : delimited(transaction.transfer, this.#transfer());
    return this.#message([
      number(transaction.chainId, this.#usual([chainId], [0, 84, chainId + 256, chainId - 256, -chainId])),
      delimited(transaction.sender, this.#sized([32, 32, 64], [0, 1, 31, 33, 63, 65])),
      delimited(transaction.fee, this.#amount()),
      number(transaction.timestamp, this.#usual([random.below(2 ** 41), 1], [0, -1])),
      number(transaction.version, this.#usual([1, 2, 3], [0, 4, 127, 128, 255, 257, 259, -1])),
      data,
    ]);
  }

  #transfer(): Uint8Array {
    return this.#message([
      delimited(transfer.recipient, this.#recipient()),
      delimited(transfer.amount, this.#amount()),
      delimited(transfer.attachment, this.#sized([0, 5, 140], [141, 200])),
    ]);
  }

  #amount(): Uint8Array {
    return this.#message([
      delimited(amount.assetId, this.#sized([0, 32, 1, 31, 33, 64], [65, 200])),
      number(amount.amount, this.#usual([1, 100_000, 2 ** 40], [0, -1])),
    ]);
  }

  #recipient(): Uint8Array {
    const random = this.#random;
    const address = addressOfPublicKeyHash(random.bytes(20), this.#usual([chainId], [84]));
    const hash = random.pick([random.bytes(20), address, random.bytes(32)]);
    const named = (name: string): Uint8Array => delimited(recipient.alias, utf8Bytes(name));
    const parts = this.#usual(
      [[delimited(recipient.hash, hash)], [named("alice"), named("alias@_-.0123456789")]],
      [
        [delimited(recipient.hash, random.bytes(random.pick([0, 19, 21, 26, 31])))],
        [named(random.pick(["", "abc", "Alice", "a".repeat(31), "п".repeat(4)]))],
        [delimited(recipient.alias, Uint8Array.of(0x61, 0x61, 0x61, 0x61, 0xff))],
        [delimited(recipient.hash, hash), named("alice")],
      ],
    );
    return this.#message(parts);
  }

  /** Encodes the parts; sometimes one is missing, duplicated, out of order, of another type, or unknown. */
  #message(parts: readonly Uint8Array[]): Uint8Array {
    const random = this.#random;
    const written = [...parts];
    if (written.length > 0 && this.#isOdd()) written.splice(random.below(written.length), 1);
    if (written.length > 0 && this.#isOdd()) written.push(random.pick(written));
    if (this.#isOdd()) written.reverse();
    if (this.#isOdd()) {
      const field = random.pick([1, 2, 3, 5, 9, 99, 2_000]);
      const kind = random.below(6);
      const tag = writtenBytes((to) => to.varint(field * 8 + kind));
      const content = random.pick([Uint8Array.of(0), Uint8Array.of(0xff, 1), random.bytes(8), Uint8Array.of(1, 7)]);
      written.splice(random.below(written.length + 1), 0, concatBytes(tag, content));
    }
    return concatBytes(...written);
  }

  #sized(usual: readonly number[], unusual: readonly number[]): Uint8Array {
    return this.#random.bytes(this.#usual(usual, unusual));
  }

  #usual<Value>(usual: readonly Value[], unusual: readonly Value[]): Value {
    return this.#random.pick(this.#isOdd() ? unusual : usual);
  }

  #isOdd(): boolean {
    return this.#random.boolean(this.#oddity);
  }
}

function delimited(field: number, content: Uint8Array): Uint8Array {
  return writtenBytes((to) => writeDelimited(field, content, to));
}

function number(field: number, value: number): Uint8Array {
  return writtenBytes((to) => {
    to.varint(field * 8);
    to.varint64(BigInt(value));
  });
}
