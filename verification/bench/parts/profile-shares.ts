/**
 * A CPU profile by parts of the node. The bundler writes each file's path above its code, which gives every line of the
 * bundle a file. Native code counts for the file that calls it.
 */
import type { CpuProfile } from "./inspector.ts";

/** Share of the time, 0 to 1, by name. */
export type Shares = ReadonlyMap<string, number>;

export interface ProfileShares {
  /** Time in which the isolate was not idle, seconds. */
  readonly busySeconds: number;
  readonly byPart: Shares;
  /** Time in the code of a file itself, without its callees; `native` is code outside the bundle. */
  readonly byFile: Shares;
  readonly byFunction: Shares;
  /** Time in calls, with callees. */
  readonly byCall: Shares;
}

/** The first match decides: files of a part come before the folder they are in. */
const parts: readonly (readonly [part: string, files: RegExp])[] = [
  ["signatures", /^src\/crypto\/(curve25519|edwards|ed25519|weak|secp|vrf)|^node_modules\/@noble\/curves\//],
  ["publishing", /^durable\/publish\//],
  ["storage", /^durable\/state\/(state-store|table|row|undo|changed|height|expire|sqlite|tables)|hashes\/utils\.js/],
  [
    "hashes",
    /^src\/crypto\/(hash|blake2b|merkle)|^node_modules\/@noble\/hashes\/|^src\/protocol\/snapshots\/.*state-hash/,
  ],
  ["codecs", /^src\/protocol\/(codec|blocks|snapshots)\/|^src\/protocol\/transactions\/|^durable\/import\//],
  ["rules", /^durable\/|^src\/protocol\//],
];
const outside = "runtime";
/** Native code recognized by name. */
const nativeParts: Readonly<Record<string, string>> = {
  "(garbage collector)": "garbage",
  exec: "storage",
  raw: "storage",
  toArray: "storage",
  transactionSync: "storage",
};

export function sharesOf(profile: CpuProfile, bundle: string): ProfileShares {
  const fileOfLine = linesOf(bundle);
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children }) => children.map((child) => [child, id] as const)));
  const fileOf = (id: number): string | undefined => {
    const frame = nodes.get(id)?.callFrame;
    return frame === undefined || !frame.url.endsWith("index.js") ? undefined : fileOfLine[frame.lineNumber];
  };
  /** The nearest function of the bundle, itself included. */
  const callerOf = (id: number): number | undefined => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at))
      if (fileOf(at) !== undefined) return at;
    return undefined;
  };
  const callsOf = (id: number): ReadonlySet<string> => {
    const calls = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const file = fileOf(at);
      if (file !== undefined) calls.add(`${nodes.get(at)?.callFrame.functionName} (${file})`);
    }
    return calls;
  };
  const sums = { byPart: new Sums(), byFile: new Sums(), byFunction: new Sums(), byCall: new Sums() };
  for (const [index, id] of profile.samples.entries()) {
    const microseconds = profile.timeDeltas[index] ?? 0;
    const name = nodes.get(id)?.callFrame.functionName ?? "";
    if (name === "(idle)") continue;
    const file = fileOf(id);
    const caller = callerOf(id);
    const part = nativeParts[name] ?? partOf(caller === undefined ? undefined : fileOf(caller));
    sums.byPart.add(part, microseconds);
    sums.byFile.add(file ?? "native code", microseconds);
    const callerName = caller === undefined ? "" : ` of ${nodes.get(caller)?.callFrame.functionName}`;
    sums.byFunction.add(file === undefined ? `native ${name}${callerName}` : `${name} (${file})`, microseconds);
    for (const call of callsOf(id)) sums.byCall.add(call, microseconds);
  }
  const total = sums.byPart.total;
  return {
    busySeconds: total / 1_000_000,
    byPart: sums.byPart.sharesOf(total),
    byFile: sums.byFile.sharesOf(total),
    byFunction: sums.byFunction.sharesOf(total),
    byCall: sums.byCall.sharesOf(total),
  };
}

function partOf(file: string | undefined): string {
  if (file === undefined) return outside;
  return parts.find(([, files]) => files.test(file))?.[0] ?? "other";
}

/** The file of each line of the bundle, counted from 0. */
function linesOf(bundle: string): readonly (string | undefined)[] {
  let file: string | undefined;
  return bundle.split("\n").map((line) => {
    file = /^\/\/ ((?:src|durable|scripts|node_modules)\/\S+)$/.exec(line)?.[1] ?? file;
    return file;
  });
}

class Sums {
  readonly #sums = new Map<string, number>();
  total = 0;

  add(name: string, amount: number): void {
    this.#sums.set(name, (this.#sums.get(name) ?? 0) + amount);
    this.total += amount;
  }

  /** Shares of the total, largest first. */
  sharesOf(total: number): Shares {
    const sorted = [...this.#sums].sort(([, left], [, right]) => right - left);
    return new Map(sorted.map(([name, amount]) => [name, amount / total]));
  }
}
