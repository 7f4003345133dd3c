/**
 * Curves that the reference's platform knows by name, with the size of a coordinate. It reads points of all of them
 * without checking that they are on the curve.
 * @source Java 17: sun.security.util.CurveDB; SEC 2, X9.62, RFC 5639
 */
const sec = (numbers: readonly number[]): readonly string[] => numbers.map((number) => `1.3.132.0.${number}`);
const prime = (numbers: readonly number[]): readonly string[] => numbers.map((number) => `1.2.840.10045.3.1.${number}`);
const binary = (numbers: readonly number[]): readonly string[] =>
  numbers.map((number) => `1.2.840.10045.3.0.${number}`);
const brainpool = (number: number): string => `1.3.36.3.3.2.8.1.1.${number}`;

const identifiersBySize: ReadonlyMap<number, readonly string[]> = new Map([
  [14, sec([6, 7])],
  [15, sec([4, 5])],
  [16, sec([28, 29])],
  [17, sec([22, 23])],
  [20, [...sec([8, 9, 30]), brainpool(1)]],
  [21, [...sec([1, 2, 15]), ...binary([1, 2, 3])]],
  [22, binary([4])],
  [24, [...sec([31]), ...prime([1, 2, 3]), ...binary([5, 6, 7]), brainpool(3)]],
  [25, sec([24, 25])],
  [26, binary([10])],
  [28, [...sec([32, 33]), brainpool(5)]],
  [30, [...sec([3, 26, 27]), ...prime([4, 5, 6]), ...binary([11, 12, 13])]],
  [32, [...sec([10]), ...prime([7]), brainpool(7)]],
  [34, binary([16])],
  [36, sec([16, 17])],
  [38, binary([17])],
  [40, [brainpool(9)]],
  [45, binary([18])],
  [46, binary([19])],
  [48, [...sec([34]), brainpool(11)]],
  [52, sec([36, 37])],
  [54, binary([20])],
  [64, [brainpool(13)]],
  [66, sec([35])],
  [72, sec([38, 39])],
]);

/** Bytes of a coordinate by the curve's identifier. */
export const coordinateBytes: ReadonlyMap<string, number> = new Map(
  [...identifiersBySize].flatMap(([sizeBytes, identifiers]) =>
    identifiers.map((identifier) => [identifier, sizeBytes] as const),
  ),
);
