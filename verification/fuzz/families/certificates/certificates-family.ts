/** validateCertificateChain: valid chains, and chains with any part changed. */
import { encodeBase64 } from "../../../../src/crypto/base64.ts";
import { concatBytes } from "../../../../src/crypto/bytes.ts";
import { utf8Bytes } from "../../../../src/protocol/codec/utf8.ts";
import { call, constant } from "../../../../src/ride/functions/tree.ts";
import { List } from "../../../../src/ride/values/value.ts";
import type { SeededRandom } from "../../../chain-generator/seeded-random.ts";
import type { FuzzFamily } from "../family.ts";
import { type TreeCase, treeDApp } from "../tree-dapp.ts";
import { makeCertificateChain } from "./certificate-chain.ts";
import { writeCertificate, writeList } from "./certificate-writer.ts";
import { change } from "./changes.ts";

const validateCertificateChain = 902;
const libraryVersion = 9;
const casesPerDApp = 10;

export const certificatesFamily: FuzzFamily = {
  name: "certificates",
  summary: "validateCertificateChain of chains that hold, and with anything in them made otherwise",
  messages: "any",
  dApps: (random, count) =>
    Array.from({ length: Math.ceil(count / casesPerDApp) }, (_, index) => {
      const own = Math.min(casesPerDApp, count - index * casesPerDApp);
      return treeDApp(
        libraryVersion,
        Array.from({ length: own }, () => chainCase(random)),
      );
    }),
};

function chainCase(random: SeededRandom): TreeCase {
  const chain = makeCertificateChain(random, random.pick([1, 2, 2, 3, 3, 3, 4, 5]));
  const notes = Array.from({ length: random.pick([0, 1, 1, 1, 1, 2, 2, 3]) }, () => change(random, chain));
  const certificates = chain.certificates.map(writeCertificate);
  const lists = chain.lists.map(writeList);
  if (random.boolean(0.12)) notes.push(damage(random, random.boolean(0.6) ? certificates : lists));
  if (random.boolean(0.05)) notes.push(asText(random, random.boolean(0.5) ? certificates : lists));
  const tree = call(
    validateCertificateChain,
    constant(new List(certificates)),
    constant(new List(lists)),
    constant(BigInt(chain.timeMs)),
  );
  return { tree, note: `chain of ${certificates.length}; ${notes.join("; ")}` };
}

/** Changes bytes of one certificate. */
function damage(random: SeededRandom, all: Uint8Array[]): string {
  const index = random.below(Math.max(1, all.length));
  const bytes = all[index]?.slice();
  if (bytes === undefined) return "";
  const at = random.below(bytes.length);
  switch (random.below(4)) {
    case 0:
      all[index] = bytes.subarray(0, at);
      return `cut at ${at}`;
    case 1:
      all[index] = concatBytes(bytes, random.bytes(random.between(1, 4)));
      return "bytes after";
    default:
      bytes[at] = random.below(256);
      all[index] = bytes;
      return `byte ${at} of ${index} is ${bytes[at]}`;
  }
}

/** Encodes one certificate as PEM. */
function asText(random: SeededRandom, all: Uint8Array[]): string {
  const index = random.below(Math.max(1, all.length));
  const bytes = all[index];
  if (bytes === undefined) return "";
  const lines = encodeBase64(bytes).replaceAll(/(.{64})/g, "$1\n");
  const kind = random.pick(["CERTIFICATE", "X509 CRL", "ANYTHING"]);
  const end = random.boolean(0.9) ? kind : "OTHER";
  const before = random.pick(["", "", "text\n", "\n\n"]);
  const behind = random.pick(["\n", "", "\nmore"]);
  all[index] = utf8Bytes(`${before}-----BEGIN ${kind}-----\n${lines}\n-----END ${end}-----${behind}`);
  return `as text: ${kind} to ${end}`;
}
