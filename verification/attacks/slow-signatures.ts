/** Invalid RSA signatures that take the maximum verification time that the complexity of `rsaVerify` allows for. */
import { generateKeyPairSync } from "node:crypto";
import { concatBytes } from "../../src/crypto/bytes.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";

const KEY_BYTES = 384;
/** SubjectPublicKeyInfo: the algorithm rsaEncryption. */
const algorithm = Buffer.from("300d06092a864886f70d0101010500", "hex");

export interface SlowSignature {
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
}

/** A new modulus of 3,072 bits whatever the seed, since any other would have small factors; the exponent is as long. */
export function slowSignature(random: SeededRandom): SlowSignature {
  const { n } = generateKeyPairSync("rsa", { modulusLength: 8 * KEY_BYTES }).publicKey.export({ format: "jwk" });
  const exponent = random.bytes(KEY_BYTES);
  exponent[0] = 0x40;
  exponent[KEY_BYTES - 1] = (exponent[KEY_BYTES - 1] ?? 0) | 1;
  const key = der(0x30, concatBytes(integer(Buffer.from(n ?? "", "base64url")), integer(exponent)));
  const publicKey = der(0x30, concatBytes(algorithm, der(3, concatBytes(new Uint8Array(1), key))));
  const signature = random.bytes(KEY_BYTES);
  signature[0] = 0;
  return { publicKey, signature };
}

function integer(bytes: Uint8Array): Uint8Array {
  return der(2, (bytes[0] ?? 0) & 0x80 ? concatBytes(new Uint8Array(1), bytes) : bytes);
}

function der(tag: number, content: Uint8Array): Uint8Array {
  const { length } = content;
  return concatBytes(Uint8Array.of(tag, ...(length < 128 ? [length] : [0x82, length >> 8, length & 255])), content);
}
