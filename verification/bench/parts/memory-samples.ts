import type { Inspector } from "./inspector.ts";

const intervalMs = 1_000;
const bytesPerMegabyte = 1_048_576;

/** Samples the memory of the isolate and of workerd once a second. */
export class MemorySamples {
  readonly #inspector: Inspector;
  readonly #residentNow: () => number;
  #timer: NodeJS.Timeout | undefined;
  /** Heap, garbage included, MB. */
  readonly heapMegabytes: number[] = [];
  /** Buffers outside the heap, MB. */
  readonly bufferMegabytes: number[] = [];
  /** Process, MB. */
  readonly residentMegabytes: number[] = [];
  /** Memory in use after a garbage collection, buffers included, MB. */
  readonly liveMegabytes: number[] = [];
  /** Response times of the isolate. */
  readonly responsesMs: number[] = [];
  readonly errors: string[] = [];

  /** @param residentNow memory of the process, MB */
  constructor(inspector: Inspector, residentNow: () => number) {
    this.#inspector = inspector;
    this.#residentNow = residentNow;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#orError(() => this.#look()), intervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Collects garbage, and samples the rest. */
  collect(): Promise<void> {
    return this.#orError(async () => {
      await this.#inspector.collectGarbage();
      const { usedSize, backingStorageSize } = await this.#inspector.heapUsage();
      this.liveMegabytes.push((usedSize + backingStorageSize) / bytesPerMegabyte);
    });
  }

  async #look(): Promise<void> {
    this.residentMegabytes.push(this.#residentNow());
    const startedMs = performance.now();
    const { usedSize, backingStorageSize } = await this.#inspector.heapUsage();
    this.responsesMs.push(performance.now() - startedMs);
    this.heapMegabytes.push(usedSize / bytesPerMegabyte);
    this.bufferMegabytes.push(backingStorageSize / bytesPerMegabyte);
  }

  async #orError(look: () => Promise<void>): Promise<void> {
    try {
      await look();
    } catch (error) {
      this.errors.push(`the inspector: ${(error as Error).message}`);
    }
  }
}
