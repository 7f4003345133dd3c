/**
 * Value types of settings files, as zod types. Each accepts the notations of a person or of the reference's format
 * (numbers as text, durations with units, yes and no), and has a text of what it expects.
 */
import * as z from "zod";
import { parseAddress } from "../crypto/address.ts";
import { parseBase58 } from "../crypto/base58.ts";
import type { Address, Signature } from "../crypto/identities.ts";
import { parseDurationMs } from "./durations.ts";

/**
 * A field read by a function that returns undefined for invalid values. The text of what is expected is the issue's
 * message, and the schema's `expected` for documentation.
 */
export function field<Value>(expected: string, read: (value: unknown) => Value | undefined) {
  return z
    .unknown()
    .transform((value, context): Value => {
      const result = read(value);
      if (result !== undefined) return result;
      context.issues.push({ code: "custom", message: expected, input: value });
      return z.NEVER;
    })
    .meta({ expected });
}

/** A list of one kind of field. */
export function list<Item extends z.ZodType>(expected: string, item: Item) {
  return z.array(item, { error: () => expected }).meta({ expected });
}

/** An integer that may be written as number, bigint or decimal text. */
export function readInteger(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && /^[+-]?\d{1,20}$/.test(value) ? BigInt(value) : undefined;
}

/** An integer within limits, as a number. */
export function integer(least: number, most: number) {
  return field(`an integer from ${least} to ${most}`, (value) => {
    const read = readInteger(value);
    return read !== undefined && read >= BigInt(least) && read <= BigInt(most) ? Number(read) : undefined;
  });
}

/** A height or a count of blocks. */
export const blocks = integer(0, 0x7fff_ffff);
/** A count of blocks that is not zero. */
export const someBlocks = integer(1, 0x7fff_ffff);

const maximumI64 = (1n << 63n) - 1n;

/** An amount, a timestamp or another integer of 64 bits, not negative. */
export const amount = field("an integer from 0 to 9223372036854775807", (value) => {
  const read = readInteger(value);
  return read !== undefined && read >= 0n && read <= maximumI64 ? read : undefined;
});

/** A duration in whole milliseconds. */
export const durationMs = field(
  'a duration such as "1500ms", "10s" or "2 minutes", or a number of milliseconds',
  (value) => (typeof value === "string" || typeof value === "number" ? parseDurationMs(value) : undefined),
);

const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ["true", true],
  ["yes", true],
  ["on", true],
  [false, false],
  ["false", false],
  ["no", false],
  ["off", false],
]);

export const flag = field("true or false", (value) => booleans.get(value));

export const text = field("a text", (value) => (typeof value === "string" ? value : undefined));

/** A list of texts. They are not validated as accounts of the network: others have no effect. */
export const textSet = list("a list of texts", text).transform((texts): ReadonlySet<string> => new Set(texts));

/** The bytes of a base58 text, or undefined. */
function readBase58(value: unknown): Uint8Array | undefined {
  const bytes = typeof value === "string" ? parseBase58(value) : undefined;
  return bytes instanceof Uint8Array ? bytes : undefined;
}

export const base58Bytes = field("a text in base58", (value) => {
  const bytes = readBase58(value);
  return bytes !== undefined && bytes.length > 0 ? bytes : undefined;
});

export const signature = field("a signature: 64 bytes in base58", (value) => {
  const bytes = readBase58(value);
  return bytes?.length === 64 ? (bytes as Signature) : undefined;
});

/** The character of a network, which is part of each of its addresses. */
export const schemeCharacter = field("one character", (value) =>
  typeof value === "string" && /^[\x21-\x7e]$/.test(value) ? value : undefined,
);

/** An address. Its network is validated later, when the network is known. */
export const address = field("an address in base58", (value): Address | undefined => {
  const parsed = typeof value === "string" ? parseAddress(value, undefined) : undefined;
  return parsed instanceof Uint8Array ? parsed : undefined;
});

const featureId = integer(1, 0x7fff);

/** A list of feature ids. */
export const featureIds = list("a list of feature ids", featureId);

const heightsExpected = "an object of heights by feature id";

/** Heights by feature id; a negative height shifts whatever counts from it (sponsored fees). */
export const heightByFeature = z
  .record(z.string(), integer(-0x8000_0000, 0x7fff_ffff), { error: () => heightsExpected })
  .meta({ expected: heightsExpected })
  .transform((heights, context): ReadonlyMap<number, number> => {
    const parsed = new Map<number, number>();
    for (const [key, height] of Object.entries(heights)) {
      const feature = featureId.safeParse(key);
      if (feature.success) parsed.set(feature.data, height);
      else context.issues.push({ code: "custom", message: "feature ids as keys", input: heights });
    }
    return parsed;
  });

/** An object; unknown keys are ignored. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, { error: () => "an object" });
}
