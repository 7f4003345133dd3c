import type { Inspector } from "./inspector.ts";

const intervalMs = 1_000;
const bytesPerMegabyte = 1_048_576;

/** Looks at the memory of the isolate and of workerd once a second. */
export class MemorySamples {
  readonly #inspector: Inspector;
  readonly #residentNow: () => number;
  #timer: NodeJS.Timeout | undefined;
  /** In use, garbage included, MB. */
  readonly heapMegabytes: number[] = [];
  /** Beside the heap, MB. */
  readonly bufferMegabytes: number[] = [];
  /** Of the process, MB. */
  readonly residentMegabytes: number[] = [];
  /** In use after a garbage collection, buffers included, MB. */
  readonly liveMegabytes: number[] = [];
  /** How long the isolate took to answer. */
  readonly answersMs: number[] = [];
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

  /** Collects garbage, and looks at what is left. */
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
    this.answersMs.push(performance.now() - startedMs);
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
