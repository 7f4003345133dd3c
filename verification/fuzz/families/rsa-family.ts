/** rsaVerify: keys, paddings and signatures at the limits of what the reference accepts. */
import { bytesOfInteger, integerOfBytes } from "../../../src/crypto/big-endian.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { powerByWindows } from "../../../src/crypto/rsa/modular-power.ts";
import { bitLength } from "../../../src/crypto/rsa/rsa-key.ts";
import { digestInfo, type RsaDigest } from "../../../src/crypto/rsa/verify-rsa.ts";
import { call, ref } from "../../../src/ride/functions/tree.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { derTags, integerContent, type LengthForm, tagged } from "./der-writer.ts";
import { binaryArgument, type FamilyCall, type FuzzFamily } from "./family.ts";
import { keyBytes } from "./rsa-key-bytes.ts";
import { type GeneratedKey, makeKeys } from "./rsa-keys.ts";
import { callableDApp } from "./tree-dapp.ts";

const rsaVerify = 504;
const addressFromPublicKey = 1063;
const libraryVersion = 6;
const digestNames: ReadonlyMap<RsaDigest, string> = new Map([
  ["none", "NOALG"],
  ["md5", "MD5"],
  ["sha1", "SHA1"],
  ["sha224", "SHA224"],
  ["sha256", "SHA256"],
  ["sha384", "SHA384"],
  ["sha512", "SHA512"],
  ["sha3_224", "SHA3224"],
  ["sha3_256", "SHA3256"],
  ["sha3_384", "SHA3384"],
  ["sha3_512", "SHA3512"],
]);
const noBytes = new Uint8Array(0);
const identifiers = [
  "1.2.840.113549.1.1.10",
  "1.2.840.113549.1.1.7",
  "2.5.8.1.1",
  "1.2.840.113549.1.1",
  "1.2.840.113549.1.1.4",
  "1.2.840.113549.1.1.11",
  "1.2.840.113549.1.1.2.1",
  "1.2.840.10045.2.1",
  "1.2.840.10040.4.1",
  "1.2.840.113549.1.3.1",
  "1.3.101.112",
  "1.3.36.3.3.1.2",
  "2.16.840.1.114027.80.8.1.1",
  "2.16.840.1.101.3.4.2.1",
  "1.2.3.4.5",
  "2.999.1",
  "0.0",
  "2.40.18446744073709551616.1",
];

export const rsaFamily: FuzzFamily = {
  name: "rsa",
  summary: "rsaVerify with keys, paddings and signatures at the edge of what is taken",
  dApps: (random, count) => {
    const keys = makeKeys(random);
    const parameters = (["message", "signature", "key"] as const).map((name) => [name, "binary"] as const);
    const callables = [...digestNames.values()].map((name) => ({
      name: name.toLowerCase(),
      parameters,
      body: call(rsaVerify, ref(name), ref("message"), ref("signature"), ref("key")),
    }));
    const warming = {
      name: "warm",
      parameters: [["key", "binary"] as const],
      body: call(addressFromPublicKey, ref("key")),
    };
    const calls = Array.from({ length: count }, () => rsaCall(random, random.pick(keys)));
    const dApp = callableDApp(libraryVersion, [...callables, warming], calls);
    return [{ ...dApp, before: [{ function: "warm", args: [binaryArgument(new Uint8Array(64))] }] }];
  },
};

function rsaCall(random: SeededRandom, key: GeneratedKey): FamilyCall {
  const digest = random.boolean(0.35) ? "none" : random.pick([...digestNames.keys()]);
  const message = random.bytes(random.pick([0, 1, 2, 3, 4, 5, 8, 19, 32, 50]));
  const block = random.boolean(0.3)
    ? wrongBlock(random, digest, message)
    : { ...rightBlock(digest, message), note: "" };
  const signature = signatureOf(random, key, block);
  const encoded = encodedKey(random, key);
  return {
    function: (digestNames.get(digest) as string).toLowerCase(),
    args: [block.message, signature.bytes, encoded.bytes].map(binaryArgument),
    note: [key.note, block.note, signature.note, encoded.note].filter((note) => note !== "").join(", "),
  };
}

/** The signed content, and the message given to the function. */
interface Block {
  readonly message: Uint8Array;
  readonly content: Uint8Array;
  readonly padding: readonly number[] | undefined;
}

function rightBlock(digest: RsaDigest, message: Uint8Array): Block {
  return { message, content: digest === "none" ? message : digestInfo(digest, message), padding: undefined };
}

function wrongBlock(random: SeededRandom, digest: RsaDigest, message: Uint8Array): Block & { readonly note: string } {
  const right = rightBlock(digest, message);
  const info = digestInfo("sha256", message);
  switch (random.below(7)) {
    case 0:
      return { ...rightBlock(digest, info), note: "a DigestInfo as message" };
    case 1:
      return { message: info, content: withoutNull(info), padding: undefined, note: "a DigestInfo without NULL" };
    case 2:
      return { ...right, content: withoutNull(right.content), note: "without NULL" };
    case 3: {
      // For a message that is no DigestInfo, two bytes less.
      const unusual = changed(random, random.boolean(0.5) ? info : random.bytes(random.below(40)), 4);
      const content = random.boolean(0.5) ? withoutNull(unusual) : unusual.subarray(0, Math.max(0, unusual.length - 2));
      return { message: unusual, content, padding: undefined, note: "a message taken for a DigestInfo" };
    }
    case 4: {
      const padding = random.pick([
        [0, 1, ...Array(7).fill(255), 0],
        [0, 1, ...Array(8).fill(255), 0],
        [0, 1, 0],
        [0, 2, ...Array(12).fill(255), 0],
        [1, 1, ...Array(12).fill(255), 0],
        [0, 1, 255, 255, 254, ...Array(12).fill(255), 0],
        [0, 0, 1, ...Array(12).fill(255), 0],
      ]);
      return { ...right, padding, note: `padding ${padding.join(" ")}` };
    }
    case 5:
      return { ...right, content: changed(random, right.content, 1), note: "changed content" };
    default:
      return {
        ...right,
        content: concatBytes(right.content, random.bytes(random.between(1, 3))),
        note: "longer content",
      };
  }
}

function withoutNull(info: Uint8Array): Uint8Array {
  const at = info.findIndex((byte, index) => byte === 5 && info[index + 1] === 0 && index > 4);
  if (at === -1) return info.subarray(0, Math.max(0, info.length - 2));
  const shorter = concatBytes(info.subarray(0, at), info.subarray(at + 2));
  for (const index of [1, 3]) shorter[index] = (shorter[index] as number) - 2;
  return shorter;
}

function changed(random: SeededRandom, bytes: Uint8Array, most: number): Uint8Array {
  const copy = bytes.slice();
  for (let count = random.below(most) + 1; count > 0 && copy.length > 0; count--) {
    copy[random.below(copy.length)] = random.below(256);
  }
  return copy;
}

function signatureOf(random: SeededRandom, key: GeneratedKey, block: Block) {
  const { modulus, privateExponent } = key;
  const sizeBytes = Math.ceil(bitLength(modulus) / 8);
  const number = integerOfBytes(paddedBlock(block, sizeBytes));
  if (modulus < 2n || privateExponent === undefined || number >= modulus || random.boolean(0.05)) {
    const bytes = random.bytes(
      random.pick([0, 1, sizeBytes - 1, sizeBytes, sizeBytes + 1].filter((size) => size >= 0)),
    );
    return { bytes, note: "random signature" };
  }
  // With the exponent 1 the signature equals the block.
  const signed = key.exponent === 1n ? number : powerByWindows(number, privateExponent, modulus);
  const bytes = bytesOfInteger(signed, sizeBytes);
  switch (random.below(14)) {
    case 0:
    case 1:
      return withoutZeros(random, key, block, bytes);
    case 2:
      return { bytes: Uint8Array.of(0, ...bytes), note: "zero in front" };
    case 3:
      return { bytes: integerContent(signed + modulus), note: "the modulus more" };
    case 4:
      return { bytes: changed(random, bytes, 1), note: "changed signature" };
    case 5:
      return { bytes: integerContent(random.pick([0n, 1n, modulus - 1n, modulus])), note: "special signature" };
    default:
      return { bytes, note: "" };
  }
}

const mostTries = 400;

/** A valid signature with a leading zero byte removed. */
function withoutZeros(random: SeededRandom, key: GeneratedKey, block: Block, found: Uint8Array) {
  const sizeBytes = found.length;
  if (sizeBytes > 96 && found[0] !== 0) return { bytes: found, note: "" };
  let bytes = found;
  for (let tries = 0; bytes[0] !== 0 && tries < mostTries && block.content === block.message; tries++) {
    block.message.set(random.bytes(block.message.length));
    const number = integerOfBytes(paddedBlock(block, sizeBytes));
    bytes = bytesOfInteger(powerByWindows(number, key.privateExponent as bigint, key.modulus), sizeBytes);
  }
  const first = bytes.findIndex((byte) => byte !== 0);
  return { bytes: bytes.subarray(Math.max(0, first)), note: "zeros left off" };
}

function paddedBlock({ content, padding }: Block, sizeBytes: number): Uint8Array {
  if (padding !== undefined) {
    const [kind, ...rest] = padding;
    const filled = Math.max(0, sizeBytes - content.length - rest.length - 1);
    const fill = rest.length > 4 ? new Uint8Array(filled).fill(255) : new Uint8Array(filled);
    const head = Uint8Array.of(kind as number, ...rest.slice(0, -1));
    return concatBytes(head, fill, Uint8Array.of(0), content).subarray(-sizeBytes);
  }
  const filled = Math.max(0, sizeBytes - content.length - 3);
  return concatBytes(Uint8Array.of(0, 1), new Uint8Array(filled).fill(255), Uint8Array.of(0), content);
}

function encodedKey(random: SeededRandom, key: GeneratedKey): { readonly bytes: Uint8Array; readonly note: string } {
  const right = keyBytes(key);
  switch (random.below(20)) {
    case 0:
      return { bytes: changed(random, right, 2), note: "changed key" };
    case 1:
      return { bytes: right.subarray(0, random.below(right.length)), note: "cut key" };
    case 2:
      return { bytes: concatBytes(right, random.bytes(random.between(1, 4))), note: "bytes after the key" };
    case 3:
      return withChangedHead(random, right);
    case 4: {
      const identifier = random.pick(identifiers);
      // Parameters of other algorithms have parsers of their own, which this node does not implement.
      const parameters = random.pick(nullForms(random));
      return { bytes: keyBytes(key, { identifier, parameters }), note: `identifier ${identifier}` };
    }
    case 5: {
      const parameters = random.pick(parameterForms(random));
      return { bytes: keyBytes(key, { parameters }), note: `parameters ${Buffer.from(parameters).toString("hex")}` };
    }
    case 6:
    case 7: {
      const unusedBits = random.pick([1, 2, 3, 7, 8, 255]);
      return { bytes: keyBytes(key, { unusedBits }), note: `${unusedBits} unused bits` };
    }
    case 8:
    case 9: {
      const forms: LengthForm[] = Array.from({ length: 4 }, () =>
        random.pick(["shortest", "long", "longer", "mark", "mark"] as const),
      );
      return { bytes: keyBytes(key, { forms }), note: `lengths ${forms.join(" ")}` };
    }
    case 10: {
      const extra = random.pick(["inNumbers", "inKey", "inAlgorithm", "behindNumbers"] as const);
      const more = random.pick([random.bytes(1), Uint8Array.of(5, 0), Uint8Array.of(0, 0), random.bytes(3)]);
      return { bytes: keyBytes(key, { extra: { [extra]: more } }), note: `more ${extra}` };
    }
    case 11: {
      const integers = random.pick(["zeroInFront", "negative", "empty", "otherTag"] as const);
      return { bytes: keyBytes(key, { integers }), note: `numbers ${integers}` };
    }
    case 12:
      return { bytes: keyBytes(key, { isConstructed: true }), note: "bits in pieces" };
    case 13:
      return { bytes: random.bytes(random.below(40)), note: "random key" };
    default:
      return { bytes: right, note: "" };
  }
}

function withChangedHead(random: SeededRandom, right: Uint8Array) {
  const bytes = right.slice();
  bytes[random.below(Math.min(bytes.length, 36))] = random.pick([
    0, 1, 2, 3, 5, 0x1f, 0x30, 0x31, 0x7f, 0x80, 0x81, 0x82, 0x84, 0x85, 0xff,
  ]);
  return { bytes, note: "changed head" };
}

function nullForms(random: SeededRandom): readonly Uint8Array[] {
  const { nothing } = derTags;
  return [
    noBytes,
    tagged(nothing, noBytes),
    tagged(nothing, random.bytes(1)),
    concatBytes(tagged(nothing, noBytes), tagged(nothing, noBytes)),
    tagged(nothing, noBytes, "longer"),
  ];
}

function parameterForms(random: SeededRandom): readonly Uint8Array[] {
  const { integer, octets, sequence, identifier, bits } = derTags;
  return [
    ...nullForms(random),
    tagged(integer, random.bytes(2)),
    tagged(octets, random.bytes(3)),
    tagged(bits, random.bytes(3)),
    tagged(identifier, random.bytes(2)),
    tagged(sequence, noBytes, "mark"),
    tagged(sequence, tagged(random.below(256), random.bytes(random.below(6)))),
    tagged(0xa0, tagged(integer, random.bytes(1))),
    tagged(random.below(31), random.bytes(random.below(6))),
    tagged(octets | 0x20, tagged(octets, random.bytes(2)), random.pick(["mark", "long"])),
  ];
}
