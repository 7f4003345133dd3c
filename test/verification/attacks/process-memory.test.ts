import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { memoryOf } from "../../../verification/attacks/process-memory.ts";

test.runIf(process.platform === "linux")("memory of a process counts what it has started", async () => {
  const held = 'const b = Buffer.alloc(64 * 2 ** 20, 1); console.log("ready"); setInterval(() => b.length, 1000)';
  const nested = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(held)}], { stdio: "inherit" })`;
  const child = spawn(process.execPath, ["-e", nested], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error("no process");
  try {
    await once(child.stdout, "data");
    const { runtimeBytes, runnerBytes } = memoryOf(pid);
    expect(runtimeBytes).toBe(0);
    expect(runnerBytes).toBeGreaterThan(2 * 64 * 2 ** 20);
  } finally {
    process.kill(-pid, "SIGKILL");
  }
});
