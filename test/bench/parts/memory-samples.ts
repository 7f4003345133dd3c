import type { Inspector } from "./inspector.ts";

const intervalMs = 1_000;
const shownEverySeconds = 5;
const bytesPerMegabyte = 1_048_576;

/** Looks at the memory of the isolate and of workerd once a second. */
export class MemorySamples {
  readonly #inspector: Inspector;
  readonly #residentNow: () => number;
  #timer: NodeJS.Timeout | undefined;
  readonly #heap: number[] = [];
  readonly #buffers: number[] = [];
  readonly #resident: number[] = [];
  /** How long the isolate took to answer. */
  readonly answersMs: number[] = [];

  /** @param resident memory of the process now, MB */
  constructor(inspector: Inspector, resident: () => number) {
    this.#inspector = inspector;
    this.#residentNow = resident;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#look().catch(() => {}), intervalMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  heap(): string {
    return range(this.#heap);
  }

  buffers(): string {
    return range(this.#buffers);
  }

  resident(): string {
    const shown = this.#resident.filter((_, second) => second % shownEverySeconds === 0);
    const series = shown.map((megabytes) => megabytes.toFixed(0)).join(" ");
    return `${range(this.#resident)}; every ${shownEverySeconds} s: ${series}`;
  }

  /** Of the most that it had, from the second to the last third, as a share. */
  residentGrowth(): number {
    const third = Math.floor(this.#resident.length / 3);
    return Math.max(...this.#resident.slice(2 * third)) / Math.max(...this.#resident.slice(third, 2 * third)) - 1;
  }

  async #look(): Promise<void> {
    this.#resident.push(this.#residentNow());
    const startedMs = performance.now();
    const { usedSize, backingStorageSize } = await this.#inspector.heapUsage();
    this.answersMs.push(performance.now() - startedMs);
    this.#heap.push(usedSize / bytesPerMegabyte);
    this.#buffers.push(backingStorageSize / bytesPerMegabyte);
  }
}

function range(values: readonly number[]): string {
  return `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`;
}
