import path from "node:path";
import { describe, expect, it } from "vitest";
import { cloneLayout } from "../../../local/runtime/clone-layout.ts";
import { packagedLayout } from "../../../local/runtime/packaged-layout.ts";
import { findRuntimeProgram } from "../../../local/runtime/runtime-program.ts";

const root = path.resolve("/project");

describe("cloneHome", () => {
  it("keeps states in the clone", () => {
    expect(cloneLayout(root, {}).dataFolder).toBe(path.join(root, ".data"));
  });

  it("takes paths from where npm start was typed", () => {
    const typed = path.resolve("/somewhere");
    expect(cloneLayout(root, { npm_lifecycle_event: "start", INIT_CWD: typed }).callerFolder).toBe(typed);
    expect(cloneLayout(root, { npm_lifecycle_event: "test", INIT_CWD: typed }).callerFolder).toBe(process.cwd());
    expect(cloneLayout(root, {}).callerFolder).toBe(process.cwd());
  });
});

describe("packagedHome", () => {
  it("keeps states where the command was typed, outside of node_modules", () => {
    const layout = packagedLayout(root);
    expect(layout.callerFolder).toBe(root);
    expect(layout.isDevByDefault).toBe(true);
    expect(layout.dataFolder).toBe(path.join(root, ".waves-edge-node"));
  });
});

describe("findRuntimeProgram", () => {
  it("finds the program of this machine", () => {
    expect(path.basename(findRuntimeProgram())).toMatch(/^workerd(\.exe)?$/);
  });

  it.each([
    ["sunos-x64", "The runtime, workerd, is not made for sunos-x64"],
    [process.platform === "win32" ? "linux-x64" : "win32-x64", "is not installed: install again on this machine"],
  ])("says of %s what is the matter", (machine, message) => {
    expect(() => findRuntimeProgram(machine)).toThrow(message);
  });
});
