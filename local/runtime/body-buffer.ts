/** Request bodies, held in memory until they are complete and their requests have responses. */
import type http from "node:http";
import { oldestOfHeaviest } from "./client-subscriber.ts";

export interface BufferedBody {
  readonly bytes: Buffer;
  /** False: the body is longer than allowed and is cut off after the limit. */
  readonly isWhole: boolean;
}

const FIRST_BYTES = 4_096;

export class BodyBuffer {
  readonly #maxTotalBytes: number;
  readonly #drop: (response: http.ServerResponse) => void;
  /** Buffer sizes in bytes by response, the oldest first. */
  readonly #sizes = new Map<http.ServerResponse, number>();
  #totalBytes = 0;

  /** @param drop refuses a request: beyond the total, the oldest request of the network that holds most bytes */
  constructor(maxTotalBytes: number, drop: (response: http.ServerResponse) => void) {
    this.#maxTotalBytes = maxTotalBytes;
    this.#drop = drop;
  }

  /** Resolves once the body is complete or over the limit, or the client is gone. */
  read(request: http.IncomingMessage, response: http.ServerResponse, maxBytes: number): Promise<BufferedBody> {
    // One growing buffer: chunks may be a byte long, and a buffer for each would cost about a hundred bytes.
    let buffer = Buffer.allocUnsafe(FIRST_BYTES);
    let sizeBytes = 0;
    return new Promise((resolve) => {
      const end = (): void => resolve({ bytes: buffer.subarray(0, sizeBytes), isWhole: sizeBytes <= maxBytes });
      const add = (piece: Buffer): void => {
        if (sizeBytes + piece.length > buffer.length) {
          const grown = Buffer.allocUnsafe(Math.max(sizeBytes + piece.length, 2 * buffer.length));
          buffer.copy(grown, 0, 0, sizeBytes);
          this.#reserve(response, grown.length);
          buffer = grown;
        }
        sizeBytes += piece.copy(buffer, sizeBytes);
        if (sizeBytes <= maxBytes) return;
        request.off("data", add).pause();
        end();
      };
      request.on("data", add).once("end", end);
      response.once("close", () => {
        this.#reserve(response, 0);
        end();
      });
    });
  }

  #reserve(response: http.ServerResponse, sizeBytes: number): void {
    this.#totalBytes += sizeBytes - (this.#sizes.get(response) ?? 0);
    if (sizeBytes === 0) this.#sizes.delete(response);
    else this.#sizes.set(response, sizeBytes);
    while (this.#totalBytes > this.#maxTotalBytes) {
      const oldest = oldestOfHeaviest(this.#sizes);
      if (oldest === undefined) return;
      this.#reserve(oldest, 0);
      this.#drop(oldest);
    }
  }
}
