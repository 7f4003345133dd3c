/** Both ends of a WebSocket in this process. Messages of one end reach the other a moment later. */
import type { MessageSocket } from "../../../durable/peer-hub/sockets/web-socket-connection.ts";

type Listener = (event: { readonly data: unknown }) => void;

export class SocketEnd implements MessageSocket {
  other: SocketEnd | undefined;
  /** Code of the closure, by either end. */
  closeCode: number | undefined;
  readonly #listeners: Record<string, Listener[]> = {};

  send(message: ArrayBuffer | ArrayBufferView | string): void {
    if (this.closeCode !== undefined) throw new Error("it is closed");
    const data = typeof message === "string" ? message : copied(message);
    queueMicrotask(() => this.other?.dispatch("message", data));
  }

  close(code = 1000): void {
    if (this.closeCode !== undefined) return;
    this.closeCode = code;
    queueMicrotask(() => {
      this.dispatch("close", undefined);
      this.other?.close(code);
    });
  }

  addEventListener(type: string, listen: Listener): void {
    this.#listeners[type] ??= [];
    this.#listeners[type].push(listen);
  }

  dispatch(type: string, data: unknown): void {
    for (const listen of this.#listeners[type] ?? []) listen({ data });
  }
}

export function socketPair(): readonly [SocketEnd, SocketEnd] {
  const [one, other] = [new SocketEnd(), new SocketEnd()];
  one.other = other;
  other.other = one;
  return [one, other];
}

function copied(message: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  const bytes = ArrayBuffer.isView(message)
    ? new Uint8Array(message.buffer, message.byteOffset, message.byteLength)
    : new Uint8Array(message);
  return new Uint8Array(bytes).buffer;
}
