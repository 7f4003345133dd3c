import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = path.resolve(import.meta.dirname, "../../../package-lock.json");
const text = readFileSync(file, "utf8");
const packages = (JSON.parse(text) as { packages: Record<string, LockedPackage> }).packages;

describe("package-lock.json", () => {
  it("names no registry: the one of the person who installs is used", () => {
    expect(Object.entries(packages).filter(([, locked]) => locked.resolved !== undefined)).toEqual([]);
  });

  // Without them `npm ci` refuses the lock file, and other platforms lack their binaries.
  it("holds the packages for every platform, also those that the machine of its author did not need", () => {
    const optional = Object.values(packages).flatMap((locked) => Object.entries(locked.optionalDependencies ?? {}));
    const missing = optional.filter(([name]) => packages[`node_modules/${name}`]?.version === undefined);
    expect(missing).toEqual([]);
  });
});
