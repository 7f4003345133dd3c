/** Changes of a certificate chain; most of them make it invalid. */
import { p256, p384, p521 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { concatBytes } from "../../../../src/crypto/bytes.ts";
import { utf8Bytes } from "../../../../src/protocol/codec/utf8.ts";
import type { SeededRandom } from "../../../chain-generator/seeded-random.ts";
import { tagged } from "../der-writer.ts";
import {
  authorityKey,
  basicConstraints,
  type CertificateChain,
  extensionIds,
  keyIdentifier,
  keyUsageBits,
  middleMs,
  nameOf,
  p256Identifier,
  printable,
} from "./certificate-chain.ts";
import {
  bits,
  boolean,
  type CertificateSpec,
  type DigestName,
  type ExtensionPart,
  extension,
  identifier,
  integer,
  keyOfPoint,
  type ListSpec,
  type NamePart,
  octets,
  type SigningKey,
  sequence,
  writeKey,
  writeName,
} from "./certificate-writer.ts";

interface Draw {
  readonly random: SeededRandom;
  readonly chain: CertificateChain;
  /** Index in the chain: first, middle or last. */
  readonly index: number;
  readonly certificate: CertificateSpec;
  /** Undefined: the chain has no list. */
  readonly list: ListSpec | undefined;
}

type Change = (draw: Draw) => string;

const times = [
  "260601000000Z",
  "2606010000Z",
  "260601020000+0200",
  "260531220000-0200",
  "G20260601000000Z",
  "G20260601000000.5Z",
  "G20260601000000,123456Z",
  "G20260601000000.Z",
  "G202606010000Z",
  "260631000000Z",
  "261301000000Z",
  "260601240000Z",
  "490101000000Z",
  "500101000000Z",
  "260601000000",
  "260601000000z",
  "",
];
const day = 86_400_000;
const minute = 60_000;
const uri = (text: string): Uint8Array => tagged(0x86, utf8Bytes(text));
const directory = (name: readonly NamePart[]): Uint8Array => tagged(0xa4, writeName(name));
const points = "2.5.29.31";
const issuingPoint = "2.5.29.28";

/** Replaces or adds an extension. */
function put({ extensions }: { extensions: ExtensionPart[] }, part: ExtensionPart): void {
  const at = extensions.findIndex((each) => each.identifier === part.identifier);
  if (at === -1) extensions.push(part);
  else extensions[at] = part;
}

function remove({ extensions }: { extensions: ExtensionPart[] }, name: string): void {
  const at = extensions.findIndex((each) => each.identifier === name);
  if (at !== -1) extensions.splice(at, 1);
}

function renamed(random: SeededRandom, name: readonly NamePart[]): readonly NamePart[] {
  const [first, ...others] = name as readonly [NamePart, ...NamePart[]];
  return random.pick<readonly NamePart[]>([
    name.map((part) => ({ ...part, text: part.text.toUpperCase() })),
    name.map((part) => ({ ...part, text: ` ${part.text.replace(" ", "   ")} ` })),
    name.map((part) => ({ ...part, tag: printable })),
    name.map((part) => ({ ...part, tag: 0x0c })),
    name.map((part) => ({ ...part, tag: random.pick([0x14, 0x16]) })),
    [...others, first],
    others,
    [...name, { type: "2.5.4.5", text: "7", tag: printable }],
    [...name, { type: "0.9.2342.19200300.100.1.25", text: "Net", tag: 0x16 }],
    name.map((part) => ({ ...part, text: `${part.text}\u00c4\ufb01` })),
    [],
  ]);
}

function reasons(random: SeededRandom): Uint8Array {
  return random.pick([Uint8Array.of(7, 0xff, 0x80), Uint8Array.of(1, 0x7e), Uint8Array.of(7, 0x80, 0x80)]);
}

function pointNames(random: SeededRandom, issuer: readonly NamePart[]): Uint8Array {
  return random.pick([
    tagged(0xa0, uri("http://one.example/list")),
    tagged(0xa0, uri("http://two.example/list")),
    tagged(0xa0, concatBytes(uri("http://two.example/list"), uri("http://one.example/list"))),
    tagged(0xa0, directory(issuer)),
    tagged(0xa0, directory([...issuer, { type: "2.5.4.3", text: "one", tag: 0x0c }])),
    tagged(0xa1, sequence(identifier("2.5.4.3"), tagged(0x0c, utf8Bytes("one")))),
  ]);
}

const changes: Readonly<Record<string, Change>> = {
  "the time": ({ random, chain }) => {
    const offset = random.pick([0, -1, 1, 15 * minute, 15 * minute + 1, -15 * minute, -15 * minute - 1, 40 * day]);
    chain.timeMs =
      offset +
      random.pick([
        Date.UTC(2025, 0, 1),
        Date.UTC(2051, 0, 1),
        Date.UTC(2026, 4, 1),
        Date.UTC(2026, 6, 1),
        middleMs,
        0,
        -day,
      ]);
    return `time ${chain.timeMs}`;
  },
  validity: ({ random, certificate }) => {
    const time = random.pick(times);
    if (random.boolean(0.5)) certificate.notBefore = time;
    else certificate.notAfter = time;
    return time;
  },
  updates: ({ random, list }) => {
    if (list === undefined) return "no list";
    const time = random.pick([...times, undefined]);
    if (time === undefined || random.boolean(0.5)) list.nextUpdate = time;
    else list.thisUpdate = time;
    return String(time);
  },
  revoked: ({ random, chain, certificate, list }) => {
    if (list === undefined) return "no list";
    const isEdge = random.boolean(0.3);
    const parts = [
      extension("2.5.29.21", tagged(10, Uint8Array.of(random.pick([0, 1, 6, 8]))), random.boolean(0.5)),
      extension("2.5.29.24", tagged(0x18, utf8Bytes("20260101000000Z")), random.boolean(0.3)),
      extension("1.2.3.4", octets(Uint8Array.of(1)), random.boolean(0.5)),
      extension("2.5.29.29", sequence(directory(random.boolean(0.5) ? certificate.issuer : nameOf("other"))), true),
    ].filter(() => random.boolean(0.3));
    const time = isEdge ? "260601000000Z" : random.pick(["260101000000Z", "270101000000Z", "G20260531235959.999Z"]);
    const serial = random.boolean(0.8) ? certificate.serial : certificate.serial + 1n;
    const entry = { serial, time, extensions: parts };
    list.entries = random.boolean(0.5) ? [entry, ...list.entries] : [...list.entries, entry];
    if (random.boolean(0.3)) list.entries = [...list.entries, { ...entry, time: "280101000000Z", extensions: [] }];
    return `${serial} at ${time}, of ${chain.certificates.length}`;
  },
  constraints: ({ random, certificate }) => {
    const value = random.pick([
      basicConstraints(true),
      basicConstraints(false),
      basicConstraints(true, 0),
      basicConstraints(true, 1),
      basicConstraints(true, -1),
      basicConstraints(true, -3),
      basicConstraints(false, 2),
      sequence(integer(3n)),
      sequence(boolean(true), boolean(true)),
      octets(new Uint8Array(0)),
      undefined,
    ]);
    if (value === undefined) remove(certificate, extensionIds.basicConstraints);
    else put(certificate, extension(extensionIds.basicConstraints, value, random.boolean(0.5)));
    return value === undefined ? "none" : Buffer.from(value).toString("hex");
  },
  usage: ({ random, certificate }) => {
    const value = random.pick([
      keyUsageBits(5),
      keyUsageBits(6),
      keyUsageBits(5, 6),
      keyUsageBits(),
      keyUsageBits(7),
      keyUsageBits(8),
      keyUsageBits(4),
      bits(new Uint8Array(0)),
      bits(Uint8Array.of(6), 1),
      octets(keyUsageBits(5, 6)),
      Uint8Array.of(),
      undefined,
    ]);
    if (value === undefined) remove(certificate, extensionIds.keyUsage);
    else put(certificate, extension(extensionIds.keyUsage, value, random.boolean(0.5)));
    return value === undefined ? "none" : Buffer.from(value).toString("hex");
  },
  "another signer": ({ random, chain, certificate, list }) => {
    const signer = random.pick(chain.keys);
    const target = list === undefined || random.boolean(0.5) ? certificate : list;
    target.signer = signer;
    return target === list ? "of a list" : "of a certificate";
  },
  digest: ({ random, certificate, list }) => {
    const digest = random.pick<DigestName>(["sha1", "sha384", "sha512"]);
    const target = list === undefined || random.boolean(0.5) ? certificate : list;
    target.digest = digest;
    return digest;
  },
  algorithm: ({ random, certificate }) => {
    certificate.hasNull = random.boolean(0.5);
    certificate.innerAlgorithm = random.pick([undefined, "1.2.840.10045.4.3.4", "1.2.840.113549.1.1.11", "1.2.3"]);
    return `${certificate.innerAlgorithm}, null ${certificate.hasNull}`;
  },
  name: ({ random, certificate, list }) => {
    const name = renamed(random, certificate.issuer);
    if (random.boolean(0.4)) certificate.issuer = name;
    else if (random.boolean(0.5) || list === undefined) certificate.subject = renamed(random, certificate.subject);
    else list.issuer = renamed(random, list.issuer);
    return JSON.stringify(name);
  },
  "self-issued": ({ certificate }) => {
    certificate.subject = certificate.issuer;
    return "subject as issuer";
  },
  identifiers: ({ random, chain, certificate, list }) => {
    const target = list === undefined || random.boolean(0.6) ? certificate : list;
    const key = keyIdentifier(random.pick(chain.keys));
    const serial = random.pick([undefined, undefined, random.pick(chain.certificates).serial, 5n]);
    const value = authorityKey(random.boolean(0.7) ? key : undefined, serial);
    const isOwn = target === certificate && random.boolean(0.3);
    if (random.boolean(0.2)) remove(target, random.pick([extensionIds.authorityKey, extensionIds.subjectKey]));
    else if (isOwn) put(target, extension(extensionIds.subjectKey, random.boolean(0.8) ? octets(key) : key));
    else put(target, extension(extensionIds.authorityKey, random.boolean(0.9) ? value : octets(value)));
    return `${target === list ? "list" : "certificate"} ${isOwn ? "own" : "authority"} ${serial}`;
  },
  "another extension": ({ random, certificate, list }) => {
    const part = random.pick([
      extension("1.2.3.4", octets(Uint8Array.of(1)), true),
      extension("1.2.3.4", octets(Uint8Array.of(1))),
      extension("2.5.29.37", sequence(identifier("1.3.6.1.5.5.7.3.2")), true),
      extension("2.5.29.17", sequence(tagged(0x82, utf8Bytes("some.example"))), true),
      extension("2.5.29.32", sequence(sequence(identifier("1.2.3"))), random.boolean(0.5)),
      extension(
        "2.5.29.32",
        sequence(
          sequence(
            identifier("1.2.3"),
            sequence(sequence(identifier("1.3.6.1.5.5.7.2.1"), tagged(0x16, utf8Bytes("x")))),
          ),
        ),
        random.boolean(0.5),
      ),
      extension("1.2.840.113741.1.13.1", sequence(octets(Uint8Array.of(1)))),
    ]);
    const target = list === undefined || random.boolean(0.7) ? certificate : list;
    target.extensions.push(part);
    if (random.boolean(0.15)) target.extensions.push(part);
    return `${part.identifier} ${part.isCritical}`;
  },
  points: ({ random, certificate, list }) => {
    const own = Array.from({ length: random.between(1, 2) }, () =>
      sequence(
        ...(random.boolean(0.8) ? [tagged(0xa0, pointNames(random, certificate.issuer))] : []),
        ...(random.boolean(0.3) ? [tagged(0x81, reasons(random))] : []),
        ...(random.boolean(0.15) ? [tagged(0xa2, directory(certificate.issuer))] : []),
      ),
    );
    if (random.boolean(0.8)) put(certificate, extension(points, sequence(...own), random.boolean(0.05)));
    if (list !== undefined && random.boolean(0.7)) {
      const flag = (tag: number): Uint8Array[] =>
        random.boolean(0.15) ? [tagged(tag, Uint8Array.of(random.pick([0, 255])))] : [];
      const value = sequence(
        ...(random.boolean(0.7) ? [tagged(0xa0, pointNames(random, list.issuer))] : []),
        ...flag(0x81),
        ...flag(0x82),
        ...(random.boolean(0.2) ? [tagged(0x83, reasons(random))] : []),
        ...flag(0x84),
        ...flag(0x85),
      );
      put(list, extension(issuingPoint, value, random.boolean(0.8)));
    }
    return Buffer.concat(own).toString("hex");
  },
  version: ({ random, certificate }) => {
    certificate.version = random.pick([1, 2, 3, 4]);
    if (random.boolean(0.6)) certificate.extensions = [];
    return `${certificate.version}, ${certificate.extensions.length} extensions`;
  },
  serial: ({ random, certificate }) => {
    certificate.serial = random.pick([0n, -1n, -129n, 2n ** 159n, certificate.serial + 1n]);
    return String(certificate.serial);
  },
  "key form": ({ random, chain, certificate, index }) => {
    const key = chain.keys[index] as SigningKey;
    const point = p256.getPublicKey(key.secret, false);
    const off = point.slice();
    off[64] = (off[64] as number) ^ 1;
    const other = (curve: typeof p256, name: string): Uint8Array =>
      keyOfPoint(
        name,
        curve.getPublicKey(
          curve.utils.randomSecretKey(random.bytes(99).subarray(0, curve.lengths.seed as number)),
          false,
        ),
      );
    const [text, bytes] = random.pick([
      ["compressed", () => writeKey(key, true)],
      ["off the curve", () => keyOfPoint(p256Identifier, off)],
      ["mixed", () => keyOfPoint(p256Identifier, concatBytes(Uint8Array.of(random.pick([6, 7])), point.subarray(1)))],
      [
        "small of p384",
        () => keyOfPoint("1.3.132.0.34", concatBytes(Uint8Array.of(4), new Uint8Array(95), Uint8Array.of(7))),
      ],
      ["of p192", () => keyOfPoint("1.2.840.10045.3.1.1", concatBytes(Uint8Array.of(4), random.bytes(48)))],
      ["secp256k1", () => keyOfPoint("1.3.132.0.10", secp256k1.getPublicKey(key.secret, false))],
      ["infinity", () => keyOfPoint(p256Identifier, Uint8Array.of(0))],
      ["cut", () => keyOfPoint(p256Identifier, point.subarray(0, 64))],
      ["longer", () => keyOfPoint(p256Identifier, concatBytes(point, Uint8Array.of(0)))],
      ["no curve", () => keyOfPoint("1.2.3.4", point)],
      ["p384", () => other(p384, "1.3.132.0.34")],
      ["p521", () => other(p521, "1.3.132.0.35")],
      ["ed25519", () => sequence(sequence(identifier("1.3.101.112")), bits(random.bytes(32)))],
      ["unknown", () => sequence(sequence(identifier("1.2.3.4")), bits(random.bytes(32)))],
    ] as const);
    certificate.subjectKey = bytes();
    return text;
  },
  "length form": ({ random, certificate }) => {
    certificate.form = random.pick(["long", "longer", "mark"] as const);
    return certificate.form;
  },
  lists: ({ random, chain }) => {
    const [first] = chain.lists;
    switch (random.below(4)) {
      case 0:
        chain.lists.reverse();
        return "reversed";
      case 1:
        chain.lists.pop();
        return "one less";
      case 2:
        if (first !== undefined) chain.lists.push(first);
        return "one more";
      default:
        if (first !== undefined) chain.lists[chain.lists.length - 1] = first;
        return "one twice";
    }
  },
  order: ({ random, chain }) => {
    const { certificates } = chain;
    if (random.boolean(0.5)) certificates.reverse();
    else certificates.splice(random.below(certificates.length), 1);
    return `${certificates.length} certificates`;
  },
};

/** Changes the chain in place. @returns name of the change */
export function change(random: SeededRandom, chain: CertificateChain): string {
  const name = random.pick(Object.keys(changes));
  const index = random.below(chain.certificates.length);
  const certificate = chain.certificates[index];
  if (certificate === undefined) return "";
  const list = chain.lists.length === 0 ? undefined : chain.lists[Math.min(index, chain.lists.length - 1)];
  const description = (changes[name] as Change)({ random, chain, index, certificate, list });
  return `${name} of ${index}: ${description}`;
}
