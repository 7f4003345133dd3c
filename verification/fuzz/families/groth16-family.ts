/**
 * Groth16 verification: points off the curve, outside of the group, at infinity, and numbers above the field's order.
 */
import type { IField } from "@noble/curves/abstract/modular.js";
import type { Fp2 } from "@noble/curves/abstract/tower.js";
import type { WeierstrassPoint, WeierstrassPointCons } from "@noble/curves/abstract/weierstrass.js";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bn254 } from "@noble/curves/bn254.js";
import { bytesOfInteger, integerOfBytes } from "../../../src/crypto/big-endian.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import type { Groth16Curve } from "../../../src/crypto/groth16.ts";
import { call, ref } from "../../../src/ride/functions/tree.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { binaryArgument, type FamilyCall, type FuzzFamily } from "./family.ts";
import { type GeneratedProof, makeCancelledProof, makeProof } from "./groth16-proofs.ts";
import { callableDApp } from "./tree-dapp.ts";

const curves = { "bls12-381": bls12_381, bn254 } as const;
const sizes = { "bls12-381": 48, bn254: 32 } as const;
const names = ["bls12-381", "bn254"] as const;
const functionIds = { "bls12-381": 800, bn254: 801 } as const;
/** Ids of the first functions with an input limit, those for one input. */
const limitedIds = { "bls12-381": 2400, bn254: 2450 } as const;
const limits = [1, 2, 15];
const maxInputs = 17;
const libraryVersion = 6;

export const groth16Family: FuzzFamily = {
  name: "groth16",
  summary: "groth16Verify and bn256Groth16Verify with points that are none, or not of the group",
  dApps: (random, count) => {
    const parameters = (["key", "proof", "inputs"] as const).map((name) => [name, "binary"] as const);
    const callables = names.flatMap((curve) =>
      [0, ...limits].map((limit) => ({
        name: functionName(curve, limit),
        parameters,
        body: call(
          limit === 0 ? functionIds[curve] : limitedIds[curve] + limit - 1,
          ref("key"),
          ref("proof"),
          ref("inputs"),
        ),
      })),
    );
    const wrong = new Map(names.map((curve) => [curve, wrongPoints(random, curve)]));
    const calls = Array.from({ length: count }, () => {
      const curve = random.pick(names);
      return proofCall(random, curve, wrong.get(curve) as WrongPoints);
    });
    return [callableDApp(libraryVersion, callables, calls)];
  },
};

function functionName(curve: Groth16Curve, limit: number): string {
  return `${curve === "bn254" ? "bn" : "bls"}${limit}`;
}

function proofCall(random: SeededRandom, curve: Groth16Curve, wrong: WrongPoints): FamilyCall {
  if (random.boolean(0.25)) return cancelledCall(random, curve, wrong);
  const count = random.pick([0, 1, 1, 2, 2, 3, random.below(maxInputs)]);
  const order = curves[curve].fields.Fr.ORDER;
  const numbers = Array.from({ length: count }, () =>
    random.pick([0n, 1n, order - 1n, integerOfBytes(random.bytes(31))]),
  );
  const made = makeProof(curve, numbers);
  const parts = { key: made.key.slice(), proof: made.proof.slice(), inputs: made.inputs.slice() };
  const note = random.boolean(0.12) ? "" : change(random, curve, parts, wrong);
  return {
    function: functionName(curve, random.pick([0, 0, 0, ...limits])),
    args: [parts.key, parts.proof, parts.inputs].map(binaryArgument),
    note: `${count} inputs${note === "" ? "" : `, ${note}`}`,
  };
}

/** Proofs that are valid for any value of one key point: its pairings cancel out, or are left out. */
function cancelledCall(random: SeededRandom, curve: Groth16Curve, wrong: WrongPoints): FamilyCall {
  const kind = random.pick([...wrong.second.keys()]);
  const any = random.pick(wrong.second.get(kind) as readonly Uint8Array[]);
  const isCancelled = random.boolean(0.6);
  const made = isCancelled ? makeCancelledProof(curve, any) : withoutSum(curve, any);
  return {
    function: functionName(curve, 0),
    args: [made.key, made.proof, made.inputs].map(binaryArgument),
    note: `${isCancelled ? "beta and delta" : "gamma without a sum"}: ${kind}`,
  };
}

/** The sum of the input points is infinity, so gamma's pairing is left out. */
function withoutSum(curve: Groth16Curve, gamma: Uint8Array): GeneratedProof {
  const made = makeProof(curve, [1n], { sums: [23n, curves[curve].fields.Fr.ORDER - 23n] });
  const key = made.key.slice();
  key.set(gamma, 3 * sizes[curve]);
  return { ...made, key };
}

interface Parts {
  key: Uint8Array;
  proof: Uint8Array;
  inputs: Uint8Array;
}

function change(random: SeededRandom, curve: Groth16Curve, parts: Parts, wrong: WrongPoints): string {
  const sizeBytes = sizes[curve];
  const location = random.pick(pointOffsets(parts, sizeBytes));
  const [bytes, group] = location.name.startsWith("proof")
    ? [parts.proof, location.group]
    : [parts.key, location.group];
  const target = bytes.subarray(location.start, location.start + group * sizeBytes);
  switch (random.below(10)) {
    case 0: {
      const index = random.below(target.length);
      target[index] = random.below(256);
      return `${location.name}: byte ${index} changed`;
    }
    case 1:
      target[0] = ((target[0] as number) & 0x1f) | (random.below(8) << 5);
      return `${location.name}: other marks`;
    case 2: {
      // The coordinate 0 of a key's point in the second group ends the reference's process.
      if (curve === "bn254" && group === 2 && bytes === parts.key) return "";
      target.fill(0);
      target[0] = random.pick([0, 0x40, 0x80, 0xc0, 0xe0]);
      return `${location.name}: zeros, marks ${target[0]}`;
    }
    case 3: {
      const field = curves[curve].fields.Fp.ORDER;
      target.set(
        bytesOfInteger(random.pick([field, field + 1n, field - 1n]), sizeBytes),
        group === 2 ? random.below(2) * sizeBytes : 0,
      );
      return `${location.name}: a coordinate at the end of the field`;
    }
    case 4:
      return changedSize(random, parts);
    case 5: {
      const order = curves[curve].fields.Fr.ORDER;
      if (parts.inputs.length === 0) return "";
      parts.inputs.set(bytesOfInteger(random.pick([order, order + 1n, 2n ** 256n - 1n]), 32), 0);
      return "an input past the field";
    }
    default: {
      const kinds = group === 1 ? wrong.first : wrong.second;
      const kind = random.pick([...kinds.keys()]);
      target.set(random.pick(kinds.get(kind) as readonly Uint8Array[]));
      if (random.boolean(0.3)) target[0] = (target[0] as number) ^ (curve === "bn254" ? 0x80 : 0x20);
      return `${location.name}: ${kind}`;
    }
  }
}

function pointOffsets({ key }: Parts, sizeBytes: number) {
  const inKey = ["alpha", "beta", "gamma", "delta"].map((name, index) => ({
    name,
    start: index === 0 ? 0 : (2 * index - 1) * sizeBytes,
    group: index === 0 ? 1 : 2,
  }));
  const sums = Array.from({ length: key.length / sizeBytes - 7 }, (_, index) => ({
    name: `sum ${index}`,
    start: (7 + index) * sizeBytes,
    group: 1,
  }));
  const inProof = [
    { name: "proof a", start: 0, group: 1 },
    { name: "proof b", start: sizeBytes, group: 2 },
    { name: "proof c", start: 3 * sizeBytes, group: 1 },
  ];
  // Repeated in the list, because only the second group's points are checked differently.
  return [...inKey, ...inKey, ...inKey, ...inProof, ...inProof, ...sums];
}

function changedSize(random: SeededRandom, parts: Parts): string {
  const name = random.pick(["key", "proof", "inputs"] as const);
  const bytes = parts[name];
  const difference = random.pick([-32, -1, 1, 31, 32, 48]);
  parts[name] =
    difference < 0
      ? bytes.subarray(0, Math.max(0, bytes.length + difference))
      : concatBytes(bytes, random.bytes(difference));
  return `${name} of ${parts[name].length} bytes`;
}

/** Encoded invalid points, by error. */
interface WrongPoints {
  readonly first: ReadonlyMap<string, readonly Uint8Array[]>;
  readonly second: ReadonlyMap<string, readonly Uint8Array[]>;
}

const perKind = 6;
/** Prime factors of the cofactor of BN254's second group. */
const smallOrders = [10_069n, 5_864_401n];

function wrongPoints(random: SeededRandom, name: Groth16Curve): WrongPoints {
  const { fields, G1, G2 } = curves[name];
  const second: PointKind<Fp2> = {
    Point: G2.Point,
    field: fields.Fp2,
    coordinates: (x) => [x.c1, x.c0],
    isLarger: largerPair(fields.Fp),
  };
  const first: PointKind<bigint> = {
    Point: G1.Point,
    field: fields.Fp,
    coordinates: (x) => [x],
    isLarger: (y) => y > fields.Fp.neg(y),
  };
  const number = (): bigint => integerOfBytes(random.bytes(sizes[name])) % fields.Fp.ORDER;
  const pair = (): Fp2 => fields.Fp2.create({ c0: number(), c1: random.boolean(0.2) ? 0n : number() });
  return {
    first: wrongOf(name, first, number, random),
    second: wrongOf(name, second, pair, random),
  };
}

function largerPair(field: IField<bigint>): (y: Fp2) => boolean {
  return (y) => (y.c1 === 0n ? y.c0 > field.neg(y.c0) : y.c1 > field.neg(y.c1));
}

interface PointKind<Coordinate> {
  readonly Point: WeierstrassPointCons<Coordinate>;
  readonly field: IField<Coordinate>;
  /** Coordinates in the order of the encoding. */
  readonly coordinates: (x: Coordinate) => readonly bigint[];
  readonly isLarger: (y: Coordinate) => boolean;
}

function wrongOf<Coordinate>(
  name: Groth16Curve,
  kind: PointKind<Coordinate>,
  draw: () => Coordinate,
  random: SeededRandom,
): ReadonlyMap<string, readonly Uint8Array[]> {
  const order = curves[name].fields.Fr.ORDER;
  const several = (make: () => Uint8Array): readonly Uint8Array[] => Array.from({ length: perKind }, make);
  const onCurve = (): WeierstrassPoint<Coordinate> => randomPoint(kind, draw);
  const kinds = new Map([
    ["a point of the curve", several(() => encoded(name, kind, onCurve()))],
    ["no point of the curve", several(() => encodedX(name, kind, offCurve(kind, draw)))],
    [
      "a point of the group",
      several(() => encoded(name, kind, kind.Point.BASE.multiply(BigInt(random.between(2, 999))))),
    ],
  ]);
  const torsion = times(onCurve(), order);
  if (torsion.is0()) return kinds;
  kinds.set(
    "a point of the group and one outside",
    several(() =>
      encoded(
        name,
        kind,
        kind.Point.BASE.multiply([13n, 17n, 19n, 7n][random.below(4)] as bigint).add(times(onCurve(), order)),
      ),
    ),
  );
  kinds.set(
    "a point without a part in the group",
    several(() => encoded(name, kind, times(onCurve(), order))),
  );
  if (name === "bn254") {
    const cofactor = 2n * curves[name].fields.Fp.ORDER - order;
    for (const small of smallOrders) {
      const points = several(() => encoded(name, kind, times(times(onCurve(), order), cofactor / small)));
      kinds.set(`a point of order ${small}`, points);
      kinds.set(
        `a point of the group and one of order ${small}`,
        several(() =>
          encoded(
            name,
            kind,
            kind.Point.BASE.multiply([13n, 17n, 19n][random.below(3)] as bigint).add(
              times(times(onCurve(), order), cofactor / small),
            ),
          ),
        ),
      );
    }
  }
  return kinds;
}

/** Multiplies by any number, not only by one below the group's order. */
function times<Coordinate>(point: WeierstrassPoint<Coordinate>, count: bigint): WeierstrassPoint<Coordinate> {
  let sum = point.subtract(point);
  for (const digit of count.toString(2)) {
    sum = sum.double();
    if (digit === "1") sum = sum.add(point);
  }
  return sum;
}

function randomPoint<Coordinate>(kind: PointKind<Coordinate>, draw: () => Coordinate): WeierstrassPoint<Coordinate> {
  for (;;) {
    const x = draw();
    const y = findRoot(kind, x);
    if (y !== undefined) return kind.Point.fromAffine({ x, y });
  }
}

function offCurve<Coordinate>(kind: PointKind<Coordinate>, draw: () => Coordinate): Coordinate {
  for (;;) {
    const x = draw();
    if (findRoot(kind, x) === undefined) return x;
  }
}

function findRoot<Coordinate>({ Point, field }: PointKind<Coordinate>, x: Coordinate): Coordinate | undefined {
  try {
    return field.sqrt(field.add(field.mul(field.sqr(x), x), Point.CURVE().b));
  } catch {
    return undefined;
  }
}

function encoded<Coordinate>(
  name: Groth16Curve,
  kind: PointKind<Coordinate>,
  point: WeierstrassPoint<Coordinate>,
): Uint8Array {
  const { x, y } = point.toAffine();
  const bytes = encodedX(name, kind, x);
  if (kind.isLarger(y)) bytes[0] = (bytes[0] as number) | (name === "bn254" ? 0x80 : 0x20);
  return bytes;
}

function encodedX<Coordinate>(name: Groth16Curve, kind: PointKind<Coordinate>, x: Coordinate): Uint8Array {
  const bytes = concatBytes(...kind.coordinates(x).map((number) => bytesOfInteger(number, sizes[name])));
  if (name === "bls12-381") bytes[0] = (bytes[0] as number) | 0x80;
  return bytes;
}
