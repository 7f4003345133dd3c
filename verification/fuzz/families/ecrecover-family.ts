/** ecrecover: headers, sizes and numbers at the limits of what can be recovered. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesOfInteger, integerOfBytes } from "../../../src/crypto/big-endian.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { call, ref } from "../../../src/ride/functions/tree.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { binaryArgument, type FamilyCall, type FuzzFamily } from "./family.ts";
import { callableDApp } from "./tree-dapp.ts";

const ecrecover = 900;
const libraryVersions = [4, 6];
const { Point } = secp256k1;
const order = Point.Fn.ORDER;
const field = Point.Fp.ORDER;

export const ecrecoverFamily: FuzzFamily = {
  name: "ecrecover",
  summary: "ecrecover with any header, and with numbers past the order and past the field",
  dApps: (random, count) =>
    libraryVersions.map((libraryVersion, index) => {
      const parameters = (["hash", "signature"] as const).map((name) => [name, "binary"] as const);
      const callable = { name: "recover", parameters, body: call(ecrecover, ref("hash"), ref("signature")) };
      const own = Math.floor((count + index) / libraryVersions.length);
      return callableDApp(
        libraryVersion,
        [callable],
        Array.from({ length: own }, () => recoverCall(random)),
      );
    }),
};

function recoverCall(random: SeededRandom): FamilyCall {
  const hash = random.boolean(0.1) ? new Uint8Array(32).fill(random.pick([0, 255])) : random.bytes(32);
  const { bytes, note } = random.boolean(0.4) ? signed(random, hash) : unsigned(random);
  const isCut = random.boolean(0.05);
  const args = isCut ? [cut(random, hash), cut(random, bytes)] : [hash, bytes];
  return { function: "recover", args: args.map(binaryArgument), note: isCut ? `${note}, other sizes` : note };
}

function signed(random: SeededRandom, hash: Uint8Array): { readonly bytes: Uint8Array; readonly note: string } {
  const secret = secp256k1.utils.randomSecretKey(random.bytes(48));
  const recovered = secp256k1.sign(hash, secret, { prehash: false, format: "recovered" });
  const header = headerOf(random, recovered[0] as number);
  return { bytes: concatBytes(recovered.subarray(1), Uint8Array.of(header)), note: `signed, header ${header}` };
}

function headerOf(random: SeededRandom, recovery: number): number {
  return random.pick([
    recovery,
    recovery + 27,
    recovery + random.below(8),
    recovery + 27 + random.below(8),
    random.pick([26, 34, 35, 127, 128, 229, 232, 235, 255]),
    random.below(256),
  ]);
}

function unsigned(random: SeededRandom): { readonly bytes: Uint8Array; readonly note: string } {
  const [r, s] = [specialNumber(random), specialNumber(random)];
  const header = headerOf(random, random.below(4));
  const bytes = concatBytes(bytesOfInteger(r, 32), bytesOfInteger(s, 32), Uint8Array.of(header));
  return { bytes, note: `made, header ${header}` };
}

/** A coordinate minus the order is valid if it is below the field minus the order. */
function specialNumber(random: SeededRandom): bigint {
  const small = BigInt(random.below(40));
  return random.pick([
    small,
    order - small,
    (order + small) % 2n ** 256n,
    (field + small) % 2n ** 256n,
    field - order - small,
    field - order + small,
    2n ** 256n - 1n - small,
    integerOfBytes(random.bytes(32)),
    integerOfBytes(random.bytes(15)),
    Point.BASE.toAffine().x,
  ]);
}

function cut(random: SeededRandom, bytes: Uint8Array): Uint8Array {
  return random.pick([bytes, bytes.subarray(1), concatBytes(bytes, random.bytes(1)), new Uint8Array(0)]);
}
