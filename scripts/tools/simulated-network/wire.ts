/** One direction of a connection: bytes in their order, some of them under way, some not read yet. */
import type { SimulatedClock } from "./simulated-clock.ts";

/** What lies between two hosts. */
export interface Path {
  /** What a byte takes at least, ms. */
  readonly latencyMs: () => number;
  readonly bytesPerMs: number;
  /** Nothing arrives as long as this is so. */
  readonly isBlocked: () => boolean;
  /** In how many pieces the reader gets so many bytes. */
  readonly pieces: (sizeBytes: number) => readonly number[];
}

/** Whoever writes waits while more than this is under way or unread, bytes. */
const WINDOW_BYTES = 256 * 1024;

interface Parcel {
  readonly arrivalMs: number;
  readonly pieces: Uint8Array[];
  /** Nothing comes behind it. */
  isLast: boolean;
}

export class Wire {
  readonly #clock: SimulatedClock;
  readonly #path: Path;
  /** Is told that the reader has come to the end. */
  readonly #ended: () => void;
  /** The line is busy with what was sent before until then. */
  #freeMs = 0;
  #latest: Parcel | undefined;
  /** Arrived while the path was blocked. */
  readonly #held: Parcel[] = [];
  readonly #unread: Uint8Array[] = [];
  #bufferedBytes = 0;
  /** The most that was ever under way or unread. */
  mostBufferedBytes = 0;
  #isCut = false;
  #isAtEnd = false;
  #hasEnd = false;
  #reader: (() => void) | undefined;
  #writers: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];

  constructor(facts: { readonly clock: SimulatedClock; readonly path: Path; readonly ended: () => void }) {
    this.#clock = facts.clock;
    this.#path = facts.path;
    this.#ended = facts.ended;
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

  /** What was written arrives, and then the end of it. */
  end(): void {
    if (this.#hasEnd || this.#isCut) return;
    this.#hasEnd = true;
    this.#send([], true);
    this.#refuseWriters();
  }

  /** What is under way is lost, and so is what the reader has not read. */
  cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#held.length = 0;
    this.#unread.length = 0;
    this.#bufferedBytes = 0;
    this.#refuseWriters();
    this.#finish();
    this.#wakeReader();
  }

  /** The path is no longer blocked. */
  resume(): void {
    if (this.#held.length > 0) this.#clock.after(this.#path.latencyMs(), () => this.#release());
  }

  async *read(): AsyncGenerator<Uint8Array, undefined> {
    for (;;) {
      const piece = this.#unread.shift();
      if (piece !== undefined) {
        this.#bufferedBytes -= piece.length;
        if (this.#bufferedBytes <= WINDOW_BYTES) for (const { resolve } of this.#writers.splice(0)) resolve();
        yield piece;
      } else if (this.#isCut || this.#isAtEnd) {
        return undefined;
      } else {
        await new Promise<void>((resolve) => {
          this.#reader = resolve;
        });
      }
    }
  }

  #send(pieces: readonly Uint8Array[], isLast: boolean): void {
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.#bufferedBytes += sizeBytes;
    this.mostBufferedBytes = Math.max(this.mostBufferedBytes, this.#bufferedBytes);
    this.#freeMs = Math.max(this.#freeMs, this.#clock.nowMs()) + sizeBytes / this.#path.bytesPerMs;
    const latest = this.#latest;
    const arrivalMs = Math.max(latest?.arrivalMs ?? 0, Math.ceil(this.#freeMs + this.#path.latencyMs()));
    if (latest !== undefined && latest.arrivalMs === arrivalMs) {
      latest.pieces.push(...pieces);
      latest.isLast = isLast;
      return;
    }
    const parcel: Parcel = { arrivalMs, pieces: [...pieces], isLast };
    this.#latest = parcel;
    this.#clock.after(arrivalMs - this.#clock.nowMs(), () => this.#arrive(parcel));
  }

  #arrive(parcel: Parcel): void {
    if (this.#isCut) return;
    if (this.#latest === parcel) this.#latest = undefined;
    // What comes behind something that is held must not overtake it.
    if (this.#path.isBlocked() || this.#held.length > 0) {
      this.#held.push(parcel);
      return;
    }
    this.#deliver(parcel);
  }

  #release(): void {
    if (this.#isCut || this.#path.isBlocked()) return;
    for (const parcel of this.#held.splice(0)) this.#deliver(parcel);
  }

  #deliver(parcel: Parcel): void {
    for (const piece of parcel.pieces) this.#unread.push(...this.#split(piece));
    if (parcel.isLast) this.#finish();
    else this.#wakeReader();
  }

  #split(bytes: Uint8Array): Uint8Array[] {
    let offset = 0;
    return this.#path.pieces(bytes.length).map((sizeBytes) => {
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
