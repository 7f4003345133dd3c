/**
 * Export and loading of checkpoints. There is no node meanwhile: the chain is paused during an export, and does not
 * exist yet during a load.
 */
import { encodeBase64, parseBase64 } from "../../../src/crypto/base64.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import type { CheckpointCall, CheckpointPast, CheckpointResult, CheckpointRpc, DevResult } from "../../../src/env.ts";
import type { NetworkSettings } from "../../../src/network/settings.ts";
import { log } from "../../log.ts";
import type { Node } from "../node.ts";
import type { StateStore } from "../state/state-store.ts";
import { CheckpointExport, exportedTables } from "./export-checkpoint.ts";
import { CheckpointLoad } from "./load-checkpoint.ts";
import { CheckpointRefused } from "./manifest.ts";
import { packPart } from "./packed-part.ts";

/** Time without a request after which an export ends, ms. */
const EXPORT_TIMEOUT_MS = 60_000;
/** Maximum size of a manifest or part that is sent in chunks. */
const MAX_UPLOAD_BYTES = 32 * 2 ** 20;

export interface CheckpointsOptions {
  readonly store: StateStore;
  readonly settings: NetworkSettings;
  readonly nowMs: () => number;
  /** Undefined: there is no node. */
  readonly node: () => Node | undefined;
  /** Ends the node; resolves when it has ended. */
  readonly endNode: () => Promise<void>;
  /** Starts a node. */
  readonly startNode: () => Promise<void>;
  /** Schedules a call of `look`. */
  readonly scheduleCheck: (timeMs: number) => Promise<void>;
}

/** Chunks received so far. */
interface PartialUpload {
  readonly name: string;
  readonly chunks: Uint8Array[];
}

export class Checkpoints implements CheckpointRpc {
  readonly #options: CheckpointsOptions;
  readonly #load: CheckpointLoad;
  #export: CheckpointExport | undefined;
  #requestedMs = 0;
  #upload: PartialUpload | undefined;
  /** Calls run one after the other: a node takes time to end, and none may start meanwhile. */
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(options: CheckpointsOptions) {
    this.#options = options;
    const { store, settings, nowMs } = options;
    const { blockchain, node } = settings;
    this.#load = new CheckpointLoad({
      ...{ store, settings: blockchain, nowMs },
      maxRollbackDepth: node.maxRollbackDepth,
    });
  }

  /** Reason for the missing node, as text; undefined: there is a node. */
  get reason(): string | undefined {
    if (this.#export !== undefined) return "a checkpoint is being written, and the chain is paused";
    return CheckpointLoad.isInProgress(this.#options.store)
      ? "a checkpoint is being loaded, and there is no chain yet"
      : undefined;
  }

  call(call: CheckpointCall): Promise<DevResult<CheckpointResult>> {
    return this.#enqueue(() => this.#respondOrRefuse(call));
  }

  /** Ends an export without recent requests. To be called at the scheduled time. */
  checkExpiry(): Promise<void> {
    return this.#enqueue(() => this.#checkExpiry());
  }

  #enqueue<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#lastCall.then(run);
    this.#lastCall = result.catch(() => {});
    return result;
  }

  async #respondOrRefuse(call: CheckpointCall): Promise<DevResult<CheckpointResult>> {
    try {
      return { kind: "done", ...(await this.#respond(call)) };
    } catch (error) {
      if (error instanceof CheckpointRefused) return { kind: "refused", reason: error.message };
      throw error;
    }
  }

  async #checkExpiry(): Promise<void> {
    if (this.#export === undefined) return;
    const endMs = this.#requestedMs + EXPORT_TIMEOUT_MS;
    if (this.#options.nowMs() < endMs) return this.#options.scheduleCheck(endMs);
    log("the export of a checkpoint was abandoned: the chain continues");
    await this.#endExport();
  }

  async #respond(call: CheckpointCall): Promise<CheckpointResult> {
    switch (call.call) {
      case "beginExport":
        return this.#beginExport(call.past ?? "all");
      case "exportPart":
        return this.#exportPart(call);
      case "endExport":
        await this.#endExport();
        return {};
      case "standing":
        return this.#status();
      case "begin":
        return this.#begin(call);
      case "add":
        return this.#add(call);
      case "goOn":
        return this.#goOn();
      case "giveUp":
        return this.#giveUp();
    }
  }

  async #beginExport(past: CheckpointPast): Promise<CheckpointResult> {
    const { node, settings, endNode, store } = this.#options;
    if (settings.isDevChain === true)
      throw new CheckpointRefused("a dev chain has dumps (/dev/dump), and no checkpoints");
    if (this.#export === undefined) {
      const chain = node()?.chain;
      if (chain === undefined) throw new CheckpointRefused("there is no chain to export");
      const { maxRollbackDepth } = settings.node;
      // Before the node ends: if an export is impossible, the node goes on.
      const started = new CheckpointExport({ store, chain, maxRollbackDepth, past });
      this.#export = started;
      await endNode();
    }
    if (this.#export.past !== past)
      throw new CheckpointRefused("another checkpoint is being written, with another past: end that one first");
    await this.#extendExport();
    return { head: JSON.stringify(this.#export.head), tables: exportedTables() };
  }

  async #exportPart({ place }: Extract<CheckpointCall, { readonly call: "exportPart" }>): Promise<CheckpointResult> {
    if (this.#export === undefined)
      throw new CheckpointRefused("no checkpoint is being written: its export ended without a request for a minute");
    const { part, next } = this.#export.rows(place);
    await this.#extendExport();
    if (part === undefined) return next === undefined ? {} : { next };
    const { entry, packed } = await packPart(part.table, part.rows, part.text);
    return { part: { ...entry, packed: encodeBase64(packed) }, ...(next && { next }) };
  }

  async #endExport(): Promise<void> {
    if (this.#export === undefined) return;
    this.#export = undefined;
    await this.#options.startNode();
  }

  async #extendExport(): Promise<void> {
    const { nowMs, scheduleCheck } = this.#options;
    this.#requestedMs = nowMs();
    await scheduleCheck(this.#requestedMs + EXPORT_TIMEOUT_MS);
  }

  #status(): CheckpointResult {
    const { node, store } = this.#options;
    const begunFrom = CheckpointLoad.begunFrom(store);
    const height = node()?.chain.view.height ?? 0;
    const isLoading = CheckpointLoad.isInProgress(store);
    return { height, ...(begunFrom && { begunFrom }), ...(isLoading && { loading: this.#load.status() }) };
  }

  async #begin({ manifest, isLast }: Extract<CheckpointCall, { readonly call: "begin" }>): Promise<CheckpointResult> {
    const text = this.#gathered("manifest", new TextEncoder().encode(manifest), isLast);
    if (text === undefined) return {};
    const { settings, node, endNode, startNode } = this.#options;
    if (settings.isDevChain === true)
      throw new CheckpointRefused("a dev chain has dumps (/dev/load), and no checkpoints");
    const read = new TextDecoder().decode(text);
    // Before the node ends: if the checkpoint is not for this node, the node goes on.
    this.#load.check(read);
    if (node() !== undefined) await endNode();
    try {
      return { loading: this.#load.begin(read) };
    } catch (error) {
      if (this.reason === undefined) await startNode();
      throw error;
    }
  }

  async #add({ number, packed, isLast }: Extract<CheckpointCall, { readonly call: "add" }>): Promise<CheckpointResult> {
    const whole = this.#gathered(`part ${number}`, bytesOf(packed), isLast);
    if (whole !== undefined) await this.#load.add(number, whole);
    return {};
  }

  async #goOn(): Promise<CheckpointResult> {
    const { startNode, node } = this.#options;
    let progress: string | undefined;
    try {
      progress = this.#load.goOn();
    } catch (error) {
      // An invalid checkpoint was deleted: the node starts with the genesis block.
      if (this.reason === undefined && node() === undefined) await startNode();
      throw error;
    }
    if (progress !== undefined) return { progress };
    await startNode();
    return this.#status();
  }

  async #giveUp(): Promise<CheckpointResult> {
    if (!CheckpointLoad.isInProgress(this.#options.store)) throw new CheckpointRefused("no checkpoint is being loaded");
    this.#load.giveUp();
    await this.#options.startNode();
    return this.#status();
  }

  /** @returns undefined while more chunks are to come */
  #gathered(name: string, chunk: Uint8Array, isLast: boolean): Uint8Array<ArrayBuffer> | undefined {
    if (this.#upload?.name !== name) this.#upload = { name, chunks: [] };
    const { chunks } = this.#upload;
    chunks.push(chunk);
    if (chunks.reduce((sum, { length }) => sum + length, 0) > MAX_UPLOAD_BYTES) {
      this.#upload = undefined;
      throw new CheckpointRefused(`the ${name} has more than ${MAX_UPLOAD_BYTES} bytes`);
    }
    if (!isLast) return undefined;
    this.#upload = undefined;
    return concatBytes(...chunks) as Uint8Array<ArrayBuffer>;
  }
}

/** @throws CheckpointRefused */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = parseBase64(base64);
  if (bytes instanceof Uint8Array) return bytes;
  throw new CheckpointRefused("the request is not base64");
}
