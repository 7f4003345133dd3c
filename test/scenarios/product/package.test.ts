/** The package, in an empty folder with nothing but Node. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findProcessIdentity } from "../../../local/runtime/process-identity.ts";
import { findRuntimeProgram } from "../../../local/runtime/runtime-program.ts";
import { packageModules } from "../../../scripts/package/modules.ts";
import { referenceVersion } from "../../../src/network/reference-version.ts";
import { projectRoot } from "../../../verification/local-node.ts";
import { type InstalledPackage, installPackage } from "../../support/builders/installed-package.ts";
import { getJson, temporaryFolder } from "../../support/builders/started-node.ts";

/** Maximum of a user's node_modules with the runtime, by this project's plan. */
const maxInstalledBytes = 150_000_000;

const temporary = temporaryFolder();
let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage(temporary.path);
});
afterAll(() => temporary.remove());

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(path.join(folder, file)).isFile())
    .map((file) => file.split(path.sep).join("/"))
    .sort();
}

const manifest = () => JSON.parse(readFileSync(path.join(installed.packageFolder, "package.json"), "utf8"));

describe("npx waves-edge-node", () => {
  test("serves a dev chain, keeps its state in the user's folder, and leaves node_modules alone", async () => {
    const before = filesIn(installed.packageFolder);
    const first = installed.start(["--port", "0", "--quiet"]);
    const url = await first.ready();
    expect(await getJson(`${url}/node/version`)).toEqual({ version: `Waves v${referenceVersion}` });
    const compiled = await fetch(`${url}/utils/script/compileCode`, { method: "POST", body: "1 + 1 == 2" });
    expect(await compiled.json()).toMatchObject({ complexity: 2 });
    const dev = await fetch(`${url}/dev/status`, { headers: { "X-API-Key": "waves-private-node" } });
    expect(await dev.json()).toMatchObject({ automine: true });
    const apiDocs = await fetch(`${url}/api-docs/index.html`);
    expect(await apiDocs.text()).toContain("Waves node");
    expect((await fetch(`${url}/explorer`)).status).toBe(200);
    const runtimePid = runningInfo().runtime.pid;
    expect(findProcessIdentity(runtimePid)).toBeDefined();
    await first.end();
    await expect.poll(() => findProcessIdentity(runtimePid)).toBeUndefined();
    await expect.poll(() => existsSync(runningFile())).toBe(false);

    const again = installed.start(["--port", "0", "--quiet", "--no-mining"]);
    await again.ready();
    expect(Number(/height=(\d+)/.exec(again.output())?.[1])).toBeGreaterThan(1);
    await again.end();
    await expect.poll(() => existsSync(runningFile())).toBe(false);
    expect(readFileSync(path.join(stateFolder(), ".gitignore"), "utf8")).toBe("*\n");
    expect(filesIn(installed.packageFolder)).toEqual(before);
  });

  const stateFolder = () => path.join(installed.folder, ".waves-edge-node", "private-dev");
  const runningFile = () => path.join(stateFolder(), "running.json");
  const runningInfo = () => JSON.parse(readFileSync(runningFile(), "utf8")) as { runtime: { pid: number } };

  test("reads settings files, also from the package, and makes no dev chain with --no-dev", async () => {
    const settings = path.join("node_modules", "waves-edge-node", "docs", "examples", "image.conf");
    const node = installed.start(["--port", "0", "--memory", "--no-dev", "--network", settings]);
    const url = await node.ready();
    const { features } = await getJson<{ features: { id: number; blockchainStatus: string }[] }>(
      `${url}/activation/status`,
    );
    expect((await fetch(`${url}/dev/status`, { headers: { "X-API-Key": "waves-private-node" } })).status).toBe(404);
    const active = features.filter(({ blockchainStatus }) => blockchainStatus === "ACTIVATED");
    expect(active.map(({ id }) => id)).toEqual([...Array.from({ length: 20 }, (_, index) => index + 1), 22, 24, 25]);
    await node.end();
  });

  test("imports blocks", async () => {
    const recorded = path.join(projectRoot, "test", "fixtures", "private-a");
    const blocks = path.join(temporary.path, "blocks.bin");
    writeFileSync(blocks, gunzipSync(readFileSync(path.join(recorded, "blocks.bin.gz"))));
    const flags = ["--network", path.join(recorded, "network.json"), "--import", blocks, "--to-height", "40"];
    const node = installed.start(["--port", "0", "--memory", "--no-mining", ...flags]);
    await node.ready();
    expect(node.output()).toContain("imported 39 blocks");
    await node.end();
  });

  test("makes no dev chain of a public network", async () => {
    const node = installed.start(["--port", "0", "--memory", "--network", "stagenet"]);
    await node.ready();
    expect(node.output()).toContain("network=stagenet");
    await node.end();
  });

  test.each([
    [["--version"], 0, () => `${manifest().version}\n`],
    [["--prot", "1"], 2, () => "--prot is not a flag of waves-edge-node: did you mean --port?\n"],
  ])("%j ends with code %d", async (flags, code, output) => {
    const run = installed.start(flags);
    expect(await run.exited).toBe(code);
    expect(run.output()).toContain(output());
  });

  test("controls a running dev chain", async () => {
    const node = installed.start(["--port", "0", "--memory", "--quiet", "--interval", "none"]);
    const url = await node.ready();
    const mined = installed.start(["mine", "3", "--url", url]);
    expect(await mined.exited).toBe(0);
    expect(mined.output()).toMatch(/^height {2}5$/m);
    const mistyped = installed.start(["mien"]);
    expect(await mistyped.exited).toBe(2);
    expect(mistyped.output()).toContain("did you mean mine?");
    await node.end();
  });

  test("--help prints the usage", async () => {
    const run = installed.start(["--help"]);
    expect(await run.exited).toBe(0);
    expect(run.output()).toContain("npx waves-edge-node [FLAGS]");
  });
});

test("the tests of the example pass with the package after the example is copied", () => {
  const folder = path.join(installed.folder, "dapp");
  cpSync(path.join(projectRoot, "examples", "dapp"), folder, { recursive: true });
  const ownModules = path.join(folder, "node_modules");
  mkdirSync(path.join(ownModules, "@waves"), { recursive: true });
  // Further packages that a user would install.
  for (const name of ["vitest", "@waves/waves-transactions"])
    symlinkSync(path.join(projectRoot, "node_modules", name), path.join(ownModules, name), "dir");
  const runner = path.join(ownModules, "vitest", "vitest.mjs");
  const options = { cwd: folder, encoding: "utf8", env: { ...process.env, VITEST: undefined } } as const;
  const { stdout, status } = spawnSync(process.execPath, [runner, "run", "--reporter=json"], options);
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 22, numFailedTests: 0 });
  expect(status).toBe(0);
});

describe("the package", () => {
  const allowed = [
    /^(package\.json|LICENSE|(README|ARCHITECTURE|CHANGELOG|CONTRIBUTING)\.md)$/,
    /^client\/node-api\.d\.ts$/,
    /^docs\/((decisions|guides)\/)?[\w-]+\.md$/,
    /^docs\/examples\/[\w.-]+$/,
    /^examples\/dapp\/(test\/)?[\w.-]+$/,
    /^dist\/(waves-edge-node|part-[0-9A-Z]{8})\.js$/,
    /^dist\/(compatibility\.json|NOTICE\.txt)$/,
    /^dist\/types\/local\/testing\/[\w-]+\.d\.ts$/,
    /^dist\/runtime\/[\w-]+\.(js|cjs)$/,
    /^dist\/runtime\/page\/[\w-]+\.(js|css|html|png|svg)$/,
  ];
  const modules = Object.keys(packageModules).map((name) => `dist/${name}.js`);

  test("has the runtime files, and none of tests or of this machine", () => {
    const files = filesIn(installed.packageFolder);
    expect(files.filter((file) => !modules.includes(file) && !allowed.some((each) => each.test(file)))).toEqual([]);
    const own = [projectRoot, os.homedir(), os.tmpdir()].map((folder) => `${folder}${path.sep}`);
    const revealing = files.filter((file) => {
      const text = readFileSync(path.join(installed.packageFolder, file), "utf8");
      return own.some((folder) => text.includes(folder));
    });
    expect(revealing.filter((file) => file.startsWith("dist/"))).toEqual([]);
  });

  test(`is smaller than ${maxInstalledBytes / 1e6} MB with its runtime`, () => {
    const bytes = filesIn(installed.packageFolder).reduce(
      (sum, file) => sum + statSync(path.join(installed.packageFolder, file)).size,
      statSync(findRuntimeProgram()).size,
    );
    expect(bytes).toBeLessThan(maxInstalledBytes);
  });

  test("needs the runtime and nothing else, and runs no script when it is installed", () => {
    const { dependencies, optionalDependencies, scripts } = manifest();
    expect(dependencies).toBeUndefined();
    expect(Object.keys(optionalDependencies).filter((name) => !name.startsWith("@cloudflare/workerd-"))).toEqual([]);
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  });

  test("exports its modules with their types", () => {
    const { exports } = manifest();
    for (const [name, module] of Object.entries(packageModules)) {
      const types = `./dist/types/${module.replace(/\.ts$/, ".d.ts")}`;
      expect(exports[`./${name}`]).toEqual({ types, default: `./dist/${name}.js` });
    }
    const targets = Object.values<string | Record<string, string>>(exports).flatMap((target) =>
      typeof target === "string" ? [target] : Object.values(target),
    );
    expect(targets.filter((file) => !existsSync(path.join(installed.packageFolder, file)))).toEqual([]);
  });

  test("has types that a strict compiler accepts, without this project's packages", () => {
    const names = Object.keys(manifest().exports).filter((name) => name !== "./package.json");
    const source = names.map(
      (name, at) => `import type * as m${at} from "${path.posix.join("waves-edge-node", name)}";`,
    );
    const uses = names.map((_, at) => `export type T${at} = typeof m${at};`);
    const settings = {
      compilerOptions: { strict: true, module: "nodenext", noEmit: true, skipLibCheck: false, types: [] },
      files: ["user.ts"],
    };
    writeFileSync(path.join(installed.folder, "user.ts"), [...source, ...uses, ""].join("\n"));
    writeFileSync(path.join(installed.folder, "tsconfig.json"), JSON.stringify(settings));
    const compiler = path.join(projectRoot, "node_modules", "typescript", "bin", "tsc");
    const { stdout } = spawnSync(process.execPath, [compiler, "--project", installed.folder], { encoding: "utf8" });
    expect(stdout).toBe("");
  });

  test("names every bundled package, with its licence", () => {
    const notice = readFileSync(path.join(installed.packageFolder, "dist", "NOTICE.txt"), "utf8");
    for (const name of ["@noble/curves", "@waves/ride-lang", "miniflare", "preact", "swagger-ui-dist", "zod"]) {
      expect(notice).toMatch(new RegExp(`^${name} \\d+\\.\\S+.*Licence: \\S+`, "m"));
    }
    expect(notice).not.toContain("esbuild");
  });
});
