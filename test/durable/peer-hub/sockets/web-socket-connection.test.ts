import { describe, expect, test } from "vitest";
import { WebSocketConnection, WINDOW_BYTES } from "../../../../durable/peer-hub/sockets/web-socket-connection.ts";
import { concatBytes, equalBytes } from "../../../../src/crypto/bytes.ts";
import { SeededRandom } from "../../../../verification/chain-generator/seeded-random.ts";
import { type SocketEnd, socketPair } from "../../../support/fakes/socket-pair.ts";

const remote = { ip: Uint8Array.of(203, 0, 113, 1), port: 443 };
const megabyte = 1024 * 1024;

function connections(): {
  readonly one: WebSocketConnection;
  readonly other: WebSocketConnection;
  readonly ends: readonly [SocketEnd, SocketEnd];
} {
  const ends = socketPair();
  const [one, other] = ends.map((end) => new WebSocketConnection(end, remote));
  return { one: one as WebSocketConnection, other: other as WebSocketConnection, ends };
}

/** Reads `sizeBytes` bytes. */
async function read({ incoming }: WebSocketConnection, sizeBytes: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(sizeBytes);
  let used = 0;
  for await (const chunk of incoming) {
    bytes.set(chunk, used);
    used += chunk.length;
    if (used === sizeBytes) return bytes;
  }
  throw new Error(`closed after ${used} of ${sizeBytes} bytes`);
}

/** Resolves when nothing can happen without more input. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("a connection by WebSocket", () => {
  test("delivers the bytes of one end to the other in their order, in any chunks", async () => {
    const { one, other } = connections();
    const random = new SeededRandom("web socket");
    const sent = Uint8Array.from({ length: 3 * megabyte }, (_, at) => (at >> 8) ^ at);
    const writing = (async () => {
      for (let from = 0; from < sent.length; ) {
        const to = Math.min(sent.length, from + 1 + random.below(200_000));
        await one.write(sent.subarray(from, to));
        from = to;
      }
    })();
    expect(equalBytes(await read(other, sent.length), sent)).toBe(true);
    await writing;
  });

  test("does not write more than a window ahead of a reader", async () => {
    const { one, other, ends } = connections();
    let arrivedBytes = 0;
    ends[1].addEventListener("message", ({ data }) => (arrivedBytes += (data as ArrayBuffer).byteLength));
    let isWritten = false;
    const writing = one.write(new Uint8Array(4 * megabyte)).then(() => (isWritten = true));
    await settled();
    expect(arrivedBytes).toBeGreaterThan(WINDOW_BYTES / 2);
    expect(arrivedBytes).toBeLessThanOrEqual(WINDOW_BYTES);
    expect(isWritten).toBe(false);
    await read(other, 4 * megabyte);
    await writing;
    expect(isWritten).toBe(true);
  });

  test("ends the reading of both and refuses to write once either has closed", async () => {
    const { one, other } = connections();
    const reading = read(other, 1);
    one.close();
    one.close();
    await expect(reading).rejects.toThrow("closed after 0 of 1 bytes");
    await other.closed;
    for (const each of [one, other]) await expect(each.write(Uint8Array.of(1))).rejects.toThrow("is closed");
  });

  test("does not keep a waiting writer when it closes", async () => {
    const { one, other } = connections();
    const writing = one.write(new Uint8Array(4 * megabyte));
    await settled();
    other.close();
    await expect(writing).rejects.toThrow("is closed");
  });

  test("is closed by an end that sends more than the window, or confirms bytes that were not sent", async () => {
    for (const cheat of [
      (end: SocketEnd) => {
        for (let sentBytes = 0; sentBytes <= WINDOW_BYTES; sentBytes += 65_536) end.send(new Uint8Array(65_536));
      },
      (end: SocketEnd) => end.send("1"),
      (end: SocketEnd) => end.send("-1"),
      (end: SocketEnd) => end.send("all of it"),
    ]) {
      const [end, otherEnd] = socketPair();
      const connection = new WebSocketConnection(otherEnd, remote);
      cheat(end);
      await connection.closed;
      expect(otherEnd.closeCode).toBe(1008);
    }
  });

  test.each<[string, (sent: number) => number]>([
    ["of a byte", () => 1],
    ["that are just larger than half a piece", () => 8_193],
    ["of a byte after large ones", (sent) => (sent % 2 === 0 ? 16_384 : 1)],
  ])("keeps messages %s that wait in little more than their own room", async (_, sizeOf) => {
    const [end, otherEnd] = socketPair();
    const connection = new WebSocketConnection(otherEnd, remote);
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    for (let sent = 0, from = 0; from < bytes.length; sent++) {
      const sizeBytes = sizeOf(sent);
      end.send(bytes.slice(from, from + sizeBytes));
      from += sizeBytes;
    }
    await settled();
    const chunks: Uint8Array[] = [];
    for await (const chunk of connection.incoming) {
      chunks.push(chunk);
      if (concatBytes(...chunks).length === bytes.length) break;
    }
    expect(concatBytes(...chunks)).toEqual(bytes);
    const roomBytes = chunks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    expect(roomBytes).toBeLessThan(1.2 * bytes.length);
  });
});
