/** A server process: its output goes to a file, and it ends with this process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UsageError } from "../../../local/cli/usage-error.ts";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly logFile: string;
  /** URL that responds once the server is ready. */
  readonly readyUrl: string;
}

/** Long timeout: a process that still runs may only be slow. */
const startTimeoutMs = 900_000;
const pollMs = 250;
/** Time for the process to write its remaining data. */
const stopTimeoutMs = 300_000;

export class StartedProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
    mkdirSync(path.dirname(program.logFile), { recursive: true });
    this.#child = spawn(program.command, program.args, { cwd: program.folder, stdio: ["ignore", "pipe", "pipe"] });
    const file = createWriteStream(program.logFile, { flags: "a" });
    this.#child.stdout?.pipe(file, { end: false });
    this.#child.stderr?.pipe(file, { end: false });
    const end = (): void => void this.#child.kill("SIGKILL");
    process.once("exit", end);
    this.#exited = once(this.#child, "exit").finally(() => {
      process.off("exit", end);
      file.end();
    });
    // `stop` or `ready` reports the error; without either it must not count as unhandled.
    this.#exited.catch(() => {});
  }

  /** @throws Error when it ends or does not respond in time; UsageError when the program does not exist */
  async ready(): Promise<void> {
    const { readyUrl, command, logFile } = this.#program;
    const deadlineMs = performance.now() + startTimeoutMs;
    while (!(await responds(readyUrl))) {
      if (this.#hasEnded()) {
        await this.#end();
        throw new Error(`${command} ended with code ${this.#child.exitCode}: ${logFile}`);
      }
      if (performance.now() > deadlineMs) {
        await this.kill();
        throw new Error(`${command} did not answer within ${startTimeoutMs / 1_000} s: ${logFile}`);
      }
      await Promise.race([pause(pollMs), this.#exited.catch(() => {})]);
    }
  }

  async stop(): Promise<void> {
    if (this.#hasEnded()) return;
    this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), stopTimeoutMs);
    await this.#end();
    clearTimeout(timer);
  }

  async kill(): Promise<void> {
    if (!this.#hasEnded()) this.#child.kill("SIGKILL");
    await this.#end();
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #end(): Promise<void> {
    try {
      await this.#exited;
    } catch (error) {
      throw new UsageError(`${this.#program.command} could not be started: ${(error as Error).message}.`);
    }
  }
}

async function responds(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
