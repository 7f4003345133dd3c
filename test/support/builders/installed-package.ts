/** Package as installed by a user: packed, and installed in an empty folder. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { findRuntimeProgram } from "../../../local/runtime/runtime-program.ts";
import { projectRoot } from "../../../verification/local-node.ts";

const execute = promisify(execFile);

export interface InstalledPackage {
  /** User's folder: it has `node_modules`. */
  readonly folder: string;
  /** The package's own folder. */
  readonly packageFolder: string;
  /** `npx waves-edge-node` with these flags, in that folder. */
  start(flags: readonly string[]): CommandRun;
}

/** Running command. */
export interface CommandRun {
  readonly pid: number;
  readonly output: () => string;
  readonly exited: Promise<number | null>;
  /** Resolves with the node's address. @throws Error when the command ends before it prints one */
  ready(): Promise<string>;
  /** Ends npx like `kill` does. */
  end(): Promise<number | null>;
}

/**
 * Installs without any registry: the only dependency, the runtime, is in the project already, and npm gets that. Unlike
 * for a user, npm installs it as a link.
 * @param folder where the tarball and the user's folder are made
 */
export async function installPackage(folder: string): Promise<InstalledPackage> {
  const npm = (cwd: string, ...args: string[]) => execute("npm", args, { cwd, env: userEnvironment() });
  await npm(projectRoot, "pack", "--silent", "--pack-destination", folder);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack has made no tarball");
  const userFolder = path.join(folder, "user");
  mkdirSync(userFolder);
  const runtime = path.dirname(path.dirname(findRuntimeProgram()));
  const quietly = ["--no-audit", "--no-fund", "--loglevel=error"];
  const offline = ["--offline", "--cache", path.join(folder, "cache")];
  await npm(userFolder, "install", ...quietly, ...offline, path.join(folder, tarball), runtime);
  return {
    folder: userFolder,
    packageFolder: path.join(userFolder, "node_modules", "waves-edge-node"),
    start: (flags) => startCommand("npx", ["waves-edge-node", ...flags], userFolder),
  };
}

/** Starts a command as a user does, without this project in its paths and npm's variables of this process. */
export function startCommand(
  command: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): CommandRun {
  const child = spawn(command, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...userEnvironment(), ...environment },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
  const exited = once(child, "exit").then(([code]) => code as number | null);
  return {
    pid: child.pid as number,
    output: () => output,
    exited,
    ready: () => {
      const address = new Promise<string>((resolve) => {
        child.stdout.on("data", () => {
          const url = /^ready (\S+)/m.exec(output)?.[1];
          if (url !== undefined) resolve(url);
        });
      });
      const failed = exited.then((code) => {
        throw new Error(`${command} ended with code ${code} before it was ready:\n${output}`);
      });
      return Promise.race([address, failed]);
    },
    end: () => {
      child.kill("SIGTERM");
      return exited;
    },
  };
}

function userEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD$|WAVES_NODE_|VITEST|NODE_ENV$)/.test(name),
  );
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => !folder.startsWith(projectRoot));
  return { ...Object.fromEntries(others), PATH: folders.join(path.delimiter) };
}
