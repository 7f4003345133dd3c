/** One direction of a connection: bytes in order, in flight or not yet read. */
import type { SimulatedClock } from "./simulated-clock.ts";

/** Properties of the path between two hosts. */
export interface Path {
  /** Least latency of a byte, ms. */
  readonly latencyMs: () => number;
  readonly bytesPerMs: number;
  /** Whether the path is blocked: nothing arrives then. */
  readonly isBlocked: () => boolean;
  /** Sizes of the chunks in which the reader gets the bytes. */
  readonly chunkSizes: (sizeBytes: number) => readonly number[];
}

/** A writer waits while more than this is in flight or unread, bytes. */
const WINDOW_BYTES = 256 * 1024;

interface Parcel {
  readonly arrivalMs: number;
  readonly chunks: Uint8Array[];
  /** True for the last parcel. */
  isLast: boolean;
}

export class Wire {
  readonly #clock: SimulatedClock;
  readonly #path: Path;
  /** Called when the reader has reached the end. */
  readonly #ended: () => void;
  /** Time until which the line is busy with earlier bytes. */
  #freeMs = 0;
  #latest: Parcel | undefined;
  /** Parcels that arrived while the path was blocked. */
  readonly #blocked: Parcel[] = [];
  readonly #unread: Uint8Array[] = [];
  #bufferedBytes = 0;
  /** Most bytes ever in flight or unread. */
  mostBufferedBytes = 0;
  #isCut = false;
  #isAtEnd = false;
  #hasEnd = false;
  #reader: (() => void) | undefined;
  #writers: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];

  constructor(options: { readonly clock: SimulatedClock; readonly path: Path; readonly ended: () => void }) {
    this.#clock = options.clock;
    this.#path = options.path;
    this.#ended = options.ended;
  }

  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#hasEnd || this.#isCut) return Promise.reject(new Error("the connection is closed"));
    if (bytes.length > 0) this.#send([bytes.slice()], false);
    if (this.#bufferedBytes <= WINDOW_BYTES) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#writers.push({ resolve, reject });
    });
  }

  /** Closes the stream after all written bytes. */
  end(): void {
    if (this.#hasEnd || this.#isCut) return;
    this.#hasEnd = true;
    this.#send([], true);
    this.#refuseWriters();
  }

  /** Drops the bytes in flight and those not read yet. */
  cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#blocked.length = 0;
    this.#unread.length = 0;
    this.#bufferedBytes = 0;
    this.#refuseWriters();
    this.#finish();
    this.#wakeReader();
  }

  /** Call it when the path is no longer blocked. */
  resume(): void {
    if (this.#blocked.length > 0) this.#clock.after(this.#path.latencyMs(), () => this.#release());
  }

  async *read(): AsyncGenerator<Uint8Array, undefined> {
    for (;;) {
      const chunk = this.#unread.shift();
      if (chunk !== undefined) {
        this.#bufferedBytes -= chunk.length;
        if (this.#bufferedBytes <= WINDOW_BYTES) for (const { resolve } of this.#writers.splice(0)) resolve();
        yield chunk;
      } else if (this.#isCut || this.#isAtEnd) {
        return undefined;
      } else {
        await new Promise<void>((resolve) => {
          this.#reader = resolve;
        });
      }
    }
  }

  #send(chunks: readonly Uint8Array[], isLast: boolean): void {
    const sizeBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    this.#bufferedBytes += sizeBytes;
    this.mostBufferedBytes = Math.max(this.mostBufferedBytes, this.#bufferedBytes);
    this.#freeMs = Math.max(this.#freeMs, this.#clock.nowMs()) + sizeBytes / this.#path.bytesPerMs;
    const latest = this.#latest;
    const arrivalMs = Math.max(latest?.arrivalMs ?? 0, Math.ceil(this.#freeMs + this.#path.latencyMs()));
    if (latest !== undefined && latest.arrivalMs === arrivalMs) {
      latest.chunks.push(...chunks);
      latest.isLast = isLast;
      return;
    }
    const parcel: Parcel = { arrivalMs, chunks: [...chunks], isLast };
    this.#latest = parcel;
    this.#clock.after(arrivalMs - this.#clock.nowMs(), () => this.#arrive(parcel));
  }

  #arrive(parcel: Parcel): void {
    if (this.#isCut) return;
    if (this.#latest === parcel) this.#latest = undefined;
    // Must not overtake buffered parcels.
    if (this.#path.isBlocked() || this.#blocked.length > 0) {
      this.#blocked.push(parcel);
      return;
    }
    this.#deliver(parcel);
  }

  #release(): void {
    if (this.#isCut || this.#path.isBlocked()) return;
    for (const parcel of this.#blocked.splice(0)) this.#deliver(parcel);
  }

  #deliver(parcel: Parcel): void {
    for (const chunk of parcel.chunks) this.#unread.push(...this.#split(chunk));
    if (parcel.isLast) this.#finish();
    else this.#wakeReader();
  }

  #split(bytes: Uint8Array): Uint8Array[] {
    let offset = 0;
    return this.#path.chunkSizes(bytes.length).map((sizeBytes) => {
      offset += sizeBytes;
      return bytes.subarray(offset - sizeBytes, offset);
    });
  }

  #finish(): void {
    if (this.#isAtEnd) return;
    this.#isAtEnd = true;
    this.#ended();
    this.#wakeReader();
  }

  #wakeReader(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.();
  }

  #refuseWriters(): void {
    for (const { reject } of this.#writers.splice(0)) reject(new Error("the connection is closed"));
  }
}
