/// <reference lib="esnext.disposable" preserve="true" />
/** A node for tests: a dev chain of its own, in memory, which ends with the test. */
import type { DevAccount } from "./accounts.ts";
import { DevClient, type DevClientOptions } from "./dev-client.ts";

export interface DevNodeOptions extends DevClientOptions {
  readonly accounts: readonly DevAccount[];
  /** Stops the node and removes its files. */
  readonly stop: () => Promise<void>;
}

/** A dev node with its accounts. Any call may throw DevNodeError. */
export class DevNode extends DevClient implements AsyncDisposable {
  /** Accounts funded at the start. */
  readonly accounts: readonly DevAccount[];
  readonly #stop: () => Promise<void>;
  /** Name of the snapshot that `reset` returns to; undefined: the node's own. */
  #begin: string | undefined;

  constructor({ accounts, stop, ...options }: DevNodeOptions) {
    super(options);
    this.accounts = accounts;
    this.#stop = stop;
  }

  /** Makes `reset` return to the current state from now on. */
  async resetsHere(): Promise<void> {
    this.#begin = (await this.snapshot("resets here")).name;
  }

  /** Returns to the state right after the start, or after `resetsHere`. */
  override async reset(): Promise<{ readonly height: number }> {
    return this.#begin === undefined ? super.reset() : { height: (await this.revert(this.#begin)).height };
  }

  /** Like `DevClient.setScript`; for the node's own accounts the address is enough. */
  override setScript(account: string, script: string | null): Promise<{ readonly height: number }> {
    const own = this.accounts.find(({ address }) => address === account);
    return super.setScript(own?.publicKey ?? account, script);
  }

  /** Stops the node and deletes its state. */
  stop(): Promise<void> {
    return this.#stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
