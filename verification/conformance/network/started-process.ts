/** A process that serves: its output goes to a file, and whatever ends this process ends it too. */
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
  /** Answers once it serves. */
  readonly readyUrl: string;
}

/** As long as it runs, it may only be slow. */
const startTimeoutMs = 900_000;
const pollMs = 250;
/** For what it still wants to write. */
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
    // Whoever waits for the end gets the error; until then nobody need to.
    this.#exited.catch(() => {});
  }

  /** @throws Error when it ends, or does not answer in time; UsageError when there is no such program */
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
