import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(path.join(os.tmpdir(), "local-runtime-"));
afterAll(() => rmSync(folder, { recursive: true }));

const module = path.resolve(import.meta.dirname, "../../../local/runtime/local-runtime.ts");

test.skipIf(process.platform === "win32")(
  "a start that is killed before there is a runtime leaves no folder",
  async () => {
    const source = `import { startRuntime } from ${JSON.stringify(module)};
    import { writeFileSync } from "node:fs";
    import path from "node:path";
    const write = async (folder) => {
      writeFileSync(path.join(folder, "written"), "");
      console.log("writes");
      await new Promise((resolve) => setTimeout(resolve, 1e6));
    };
    await startRuntime({ artifacts: { compatibility: { date: "", flags: [] }, write }, bindings: {} });`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TMPDIR: folder },
    });
    await once(child.stdout, "data");
    expect(readdirSync(folder)).toHaveLength(1);
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect.poll(() => readdirSync(folder)).toEqual([]);
  },
);
