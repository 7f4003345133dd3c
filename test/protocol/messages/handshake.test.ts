import fc from "fast-check";
import { expect, test } from "vitest";
import { WireError } from "../../../src/protocol/errors.ts";
import { encodeHandshake, type Handshake, HandshakeReader } from "../../../src/protocol/messages/handshake.ts";

const handshake: Handshake = {
  applicationName: "wavesR",
  version: { major: 1, minor: 5, patch: 7 },
  nodeName: "node",
  nonce: 5n,
  declaredAddress: { ip: new Uint8Array([127, 0, 0, 1]), port: 6868 },
  timeSeconds: 1_700_000_000n,
};

test("is read however the connection cuts it, and what stands behind it stays", () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const addresses = fc.oneof(
    fc.constant(undefined),
    fc.record({ ip: fc.oneof(bytes(4), bytes(16)), port: fc.nat(65_535) }),
  );
  const names = fc.string({ unit: "binary", maxLength: 31 });
  fc.assert(
    fc.property(names, names, addresses, fc.nat(300), (applicationName, nodeName, declaredAddress, cut) => {
      const message = { ...handshake, applicationName, nodeName, declaredAddress };
      const sent = new Uint8Array([...encodeHandshake(message), 7, 8]);
      const reader = new HandshakeReader();
      const first = reader.read(sent.subarray(0, cut));
      const read = first ?? reader.read(sent.subarray(cut));
      expect(read?.handshake).toEqual(message);
      expect([...(read?.rest ?? []), ...(first === undefined ? [] : sent.subarray(cut))]).toEqual([7, 8]);
    }),
  );
});

test.each<[string, number, number]>([
  ["a name of more than 127 bytes", 0, 128],
  ["another name of more than 127 bytes", 19, 255],
  ["an address of another size", 35, 9],
])("%s is refused at once", (_, at, byte) => {
  const sent = encodeHandshake(handshake).with(at, byte);
  expect(() => new HandshakeReader().read(sent.subarray(0, at + 1))).toThrow(WireError);
});

test.each<[string, readonly number[], string]>([
  ["a mark of byte order is part of a name", [0xef, 0xbb, 0xbf, 0x77], "\ufeffw"],
  ["half of a surrogate pair is one replacement", [0xed, 0xa0, 0x80, 0x77], "\ufffdw"],
  ["each other byte that is no UTF-8 is one", [0xf8, 0x88, 0x77], "\ufffd\ufffdw"],
])("%s, as in the reference", (_, bytes, nodeName) => {
  const placeholder = "n".repeat(bytes.length);
  const sent = encodeHandshake({ ...handshake, nodeName: placeholder });
  const at = 1 + handshake.applicationName.length + 3 * 4 + 1;
  sent.set(bytes, at);
  expect(new HandshakeReader().read(sent)?.handshake).toEqual({ ...handshake, nodeName });
});
