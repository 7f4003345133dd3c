/**
 * Lets `npm start`, `npm test` and `npm run bench` work on a fresh clone: installs dependencies that are missing, then
 * runs the TypeScript script under a Node that reads TypeScript. Plain JavaScript on Node's own modules, because it
 * runs on Node 20 and before anything is installed. Reads both lock files; writes `node_modules` through npm.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import module from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { followParent, whenParentEnds } from "./parent-watch.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const oldestNode = [20, 0];
/** Reads TypeScript without a flag. */
const oldestTypeScriptNode = [22, 18];
const bundledNode = path.join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

/**
 * Runs a TypeScript script with the arguments of this process.
 * @param {string} script path from the project's root
 */
export async function run(script) {
  if (!isNodeAtLeast(oldestNode)) {
    fail(`Node ${process.versions.node} is too old: this needs Node 20 or newer.`);
  }
  if (!isInstalled()) install();
  if (!isNodeAtLeast(oldestTypeScriptNode)) {
    runAgainUnderBundledNode();
    return;
  }
  // Halves the time that loading the local runtime takes, from the second start on.
  module.enableCompileCache?.(path.join(root, "node_modules", ".cache", "compiled"));
  whenParentEnds(() => process.kill(process.pid, "SIGTERM"));
  await import(pathToFileURL(path.join(root, script)).href);
}

function isNodeAtLeast([major, minor]) {
  const [ownMajor, ownMinor] = process.versions.node.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/**
 * Whether every package of the lock file is there in its locked version, by npm's own record of what it installed (npm
 * writes that record last, so an interrupted installation has none). Packages for other platforms need not be there.
 */
function isInstalled() {
  const installed = readPackages(path.join(root, "node_modules", ".package-lock.json"));
  if (installed === undefined) return false;
  const locked = readPackages(path.join(root, "package-lock.json")) ?? {};
  return Object.entries(locked).every(([place, entry]) => {
    const isNeeded = place !== "" && (place in installed || !(entry.optional || entry.devOptional));
    return !isNeeded || installed[place]?.version === entry.version;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

function install() {
  process.stderr.write("installing dependencies, once (npm ci)\n");
  // A Node inside node_modules must not run the installation that replaces it.
  const ownFolder = path.join(root, "node_modules");
  if (lstatSync(ownFolder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    fail(`${ownFolder} is a link to a folder without all that this needs: run npm ci where it leads.`);
  }
  const searchPath = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => !folder.startsWith(ownFolder));
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const outcome = spawnSync("npm", args, {
    cwd: root,
    // npm's output goes to standard error: standard output belongs to the script.
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
    env: { ...process.env, PATH: searchPath.join(path.delimiter) },
  });
  if (outcome.error !== undefined) fail(`npm could not be started: ${outcome.error.message}.`);
  if (outcome.status !== 0) fail("npm could not install the dependencies; its reason stands above.");
}

function runAgainUnderBundledNode() {
  if (!existsSync(bundledNode)) {
    fail(
      `Node ${process.versions.node} cannot read TypeScript and the Node that comes with the dependencies is missing: ` +
        "run `npm ci` with install scripts allowed, or use Node 24.",
    );
  }
  const env = { ...process.env, [followParent]: "1" };
  const child = spawn(bundledNode, process.argv.slice(1), { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  whenParentEnds(() => child.kill("SIGTERM"));
  child.on("error", (error) => fail(`${bundledNode} could not be started: ${error.message}.`));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128 + 15)));
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}
