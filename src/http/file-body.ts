/** A file as a request body: larger than other bodies, and never buffered as a whole. */

/** Maximum size; a larger body breaks off. */
export const maxFileSizeBytes = 64 * 2 ** 20;
/** Path that accepts a file. */
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

  /** Bytes of the body, up to the limit. A reader that stops early leaves the rest to `discard`. */
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

  /** Reads and discards the rest, up to the limit: a response sent earlier may be lost. */
  async discard(): Promise<void> {
    try {
      while (!this.isTooLarge && (await this.#read()) !== undefined);
    } catch {
      // The client disconnected and does not read the response.
    }
  }

  /** Reads the next bytes; undefined at the end. The runtime allows one read at a time. */
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
