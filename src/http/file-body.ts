/** A body that is a file: longer than others are, and never held as a whole. */

/** Longer ones break off. */
export const maxFileSizeBytes = 64 * 2 ** 20;
/** Where one is posted. */
export const FILE_PATH = "/dev/load";

export class FileBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #sizeBytes = 0;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  get isTooLarge(): boolean {
    return this.#sizeBytes > maxFileSizeBytes;
  }

  /** Its bytes, up to the limit. Whoever gives it up leaves the rest to `passOver`. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const bytes = await this.#read();
        if (this.isTooLarge) throw new Error("the file is too large");
        if (bytes === undefined) controller.close();
        else controller.enqueue(bytes);
      },
    });
  }

  /** Lets the rest arrive, up to the limit: an answer that is given before may be lost. */
  async passOver(): Promise<void> {
    try {
      while (!this.isTooLarge && (await this.#read()) !== undefined);
    } catch {
      // The client went away; nobody reads the answer.
    }
  }

  /** The next bytes; undefined at the end. The runtime takes one reading at a time. */
  #read(): Promise<Uint8Array | undefined> {
    const reading = this.#reading.then(async () => {
      const { value } = await this.#reader.read();
      this.#sizeBytes += value?.length ?? 0;
      return value;
    });
    this.#reading = reading;
    return reading;
  }
}
