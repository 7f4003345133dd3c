import { bls12_381 } from "@noble/curves/bls12-381.js";
import { describe, expect, it } from "vitest";
import { decodeBase58 } from "../../src/crypto/base58.ts";
import { parseBase64 } from "../../src/crypto/base64.ts";
import { bytesOfInteger, integerOfBytes } from "../../src/crypto/big-endian.ts";
import {
  aggregateSignatures,
  BLS_PUBLIC_KEY_BYTES,
  BLS_SIGNATURE_BYTES,
  type BlsPublicKey,
  type BlsSecretKey,
  type BlsSignature,
  blsPublicKeyOf,
  blsSecretKeyOf,
  blsSign,
  blsVerify,
  fastAggregateVerify,
  isValidBlsPublicKey,
} from "../../src/crypto/bls.ts";
import { concatBytes, i32Bytes } from "../../src/crypto/bytes.ts";
import type { PrivateKey } from "../../src/crypto/identities.ts";

const text = (value: string) => new TextEncoder().encode(value);

/** gowaves: pkg/crypto/bls/bls_test.go, TestScalaCompatibilityIndividualKeys; the signed message is "assertion". */
const ENDORSERS = [
  {
    secretKey: "7QrCkjViFu6YdgCJ5CpSYJhvhpX2vmxgqBTv3Sbbwdu8",
    publicKey: "66aU1fahh7JqwNtX2Fs1xVsFfocGEAo6J4Jf1SfyMBnBCKvVuVJrV4v5jDwtkTL4aB",
    signature:
      "tjNe4uFJAJKPEEJjzBmzqsVnJXPSczcDSgS8ynZK27x2Go5uogJWPbUbfZJhhkjfeMow3BvdiHJCFBPGGF3kUGia7NFDZpkcxXNs" +
      "WJQ1fCxfoTiPtMN2S9hGBwKVi8jFXq1",
  },
  {
    secretKey: "8TG6n9rkMuqshDGUTwJt122ioe98ZTmjW2b77BtSYcPw",
    publicKey: "6UiH1DdvMTvFzD3jVqyqz89s3MaMCfSCVF3ZY3wysdHxzzWq6j8fuk17HJCsoKUjVJ",
    signature:
      "pKn7sCRLzRMEKaQBahPpf8JvUebEknGd2KbB2rWf11R6JthBxo8tJhU8PU9qfPYgTxxYkRkeBENQyJSfxMfhkXkstmxk3KjwzVCq" +
      "PYPqXm8sW85wFp7hVpMbH4jgauhoHMY",
  },
  {
    secretKey: "8cMQE1tMwY81rzx2gRXJs1wZ7CEW28nmWqfoPyBWTV6Z",
    publicKey: "6PakMfx4Lm5tfWuUzTbq1ASpXQ2KHBoWGWVZcLii7wfE3gRENdWpYNnQni7YsGNdBX",
    signature:
      "22tm5aapLs1q9nyUxftSpiCM9CSbXadYm1W1jR3JByohUHi5PKTnJbUwBR9qzqJmw5KGMz27ZCZz2LUHLxWKMj6Wf3QZmJeLKJtw" +
      "hZQrLHYnxzskPu4h3QJ3JVsjF1TqUu5i",
  },
  {
    secretKey: "8LpMSWhBCMhtFzcpw8BG2uvF33XFgDiZFy8tnwrm9VqC",
    publicKey: "7dJyNxhN8K9AwcvSLyuM9TBQKAaNtLAH8dbhpkJ9hNWyCPMvCuPtRfFpRouC66xrcA",
    signature:
      "osva5g4KVWWepsi9SpqkP3htqb1G27fnA8AdTUqwhPovUMCMu8H8VYCXzY1iFYNexbZW23DgDFExvQu4gQU9EdroR1WSC8aBhTAi" +
      "9n2yi4BmuLcUNFTzjcopbyA2W6cfyGW",
  },
  {
    secretKey: "5WN9f4FtY8vYDEzHzPHM37XJ6nPK7SXDiFcfCfH9GM3c",
    publicKey: "6JK5t1ejidrSLfK8CBeY6TEjGk6RgR3FnFHbTBBtRLzRdHquSLem1Cn3F1AADTZRXq",
    signature:
      "oSee1LsYjVX9LCicSj8R81ky1ytty3ysvKopP219MZW2hjBA3R36qhd5db7BscRUc12T8ZrzYWbQ6ShamTP1UJXP6w4DVgAM81yc" +
      "yJQ3pc8ZcxQvyJ4HaHuD5zTwPz6wZuu",
  },
  {
    secretKey: "2iZv8rNmHLozEvZruhxS1NsmP1vFKVh4v7pLVjE5rZZr",
    publicKey: "7mr8XSaegfQTZwg7ZDKHBJGPXiKfFETRrveCNPuCK1AGrLDn5JAFfqTQEe1aGcpcM6",
    signature:
      "pN99iSsodRotMuR2hJXTL23AFLXM9Yav4v5WpBT6a1JNBGch675pEFRsfievbpCQoVeCZCFLqcdxsWeDohqcqJBimxRwT9FQ46SW" +
      "SqQssQBYdSbYn9FPHP4snMYmryXM87z",
  },
  {
    secretKey: "c2DfuL5FgrX18yocP9P6t64gVDVKQCPanKGWWbChb29",
    publicKey: "7pTYbUjbZypyoq9KKTCLDqp84XPMJHfswMkvK6eej93k2nStDXmz16PVCzgmoQJSxF",
    signature:
      "yrD7AcHtF94T5CCwDaH5NVYo1foAQTmV4NXvmNmXGKcfEbtJV1PQVezxZ51fbAZuBXiU9u9HDMtirPJZt2mB6xRsgcy4cQ7P7FKF" +
      "Ex8JMgUu9bYP7UUYXdxsrHbcxmEY3pT",
  },
  {
    secretKey: "7kk2WThvUJGrV6Y8KXCdMewDvW4N4UcHWXNAzLZvwuWt",
    publicKey: "7o2qfELmjNEDcVCkGxE3CRtQXXwYfvaqZmsEUF3tqz6x6dnyT7DDYLbHJjaFFMhgRs",
    signature:
      "zLAJCKM2MCACAXTx5qcSTu3kRUCdAhyookbRLNVkFf2G2Mpn7LAEdnMAjVSTankEhQ35EtSRVS4JhLWiCzuRU1rPfAjkHwBJsyZL" +
      "snXobACRi6wMnM4NUXDXGP9Jnq5Bmcs",
  },
  {
    secretKey: "6o6ay7SKnjwKq1n2Y87kVKQLjZC4TAg7yM8RLNJei7Kj",
    publicKey: "6wfVJ2PwU6Fk3t6iFZL37WcAoCgU9XCBvRnuPR4Sd7bo14f2BSeNwnGgvCNnDmgxTU",
    signature:
      "24v3nCPjMvAJgZKHfxv7FcXtZPpzHaSfaCa3L7TQ93Cu1yTfdYXPm2WVEy6qCbBBcrvRBQ1v3tUzK8bRURJyYSbHCegbj19R9RV2" +
      "Wf5gRnaumvhae7PXURsyUWrPJx3vzjxk",
  },
  {
    secretKey: "5SKq1X6yAb8jReZBpdqjeLczf3ZRRAskqXhuR9NbX5V7",
    publicKey: "6aj65eLuBTpTVczhTCGHFdMgnVDbfx96ThBVVqhVNUPirddmtMeNQiC6h8oqvhpvFa",
    signature:
      "qESWK96Bpmoi7BvBKSbd695ymGV1hBPRTHJDysZ9ocvF81cwJvvqcCFAn7SKELCDda2H7655bUTAPy6fvgnEsYnCPDkJ7cEpMqLM" +
      "toXL7ssMsx1fPH2cWHmuxopsAvYvhkm",
  },
].map(({ secretKey, publicKey, signature }) => ({
  secretKey: decodeBase58(secretKey) as BlsSecretKey,
  publicKey: decodeBase58(publicKey) as BlsPublicKey,
  signature: decodeBase58(signature) as BlsSignature,
}));
const MESSAGE = text("assertion");

/** TestScalaCompatibilityAggregatedSignatures: sums of the signatures of the endorsers with these numbers. */
const AGGREGATES = [
  {
    members: [0, 1],
    signature:
      "r3oSeCJ75HbzgZhRJmw9mQMiGdbA2zhK7nF1wy7Ajju2jyUXS69eqB477RJN8wm2vzZgTpciwKV6dbWzmEKZkDARkoR6mbJTjzaW" +
      "PDweKweBVfDBoyNsYvwrzXg8xrgeLDu",
  },
  {
    members: [2, 3],
    signature:
      "qaEQnqFuiPNCufM7VfEUwJiHK4ox6iLDt7XEYMHgkkRfnvt7rHM6GS1kUxsfV4Yu9WPFmn59ffF3WdsuDjH29weRsaicjwdqRG4C" +
      "g5fw5s7qgjXVXjQ9n9Yuc99aM1D56qb",
  },
  {
    members: [4, 5, 6],
    signature:
      "swRUtaCA6Q77Gi1E29qQPXTPmhYLUSQwMtxcesDSh88NvCwWATVUUb17VmcVkZe6xMyp5yu3ps5VoBbxh4QZiBPS97EuyXyGtpHL" +
      "NQdHZQ3NR835QWWgUDa8qYP7CVKDk6P",
  },
  {
    members: [7, 8, 9],
    signature:
      "u8UZtNBGoDoicpMsoA4ZqUTDWRTPqnx36UqZ7AZk3VE9SCLk2VbJmAoyWTmp9ChbA4YhPrKkfoqhkgCPKfcCybjU4TXTH2eufaL5" +
      "g994Cr8bWEe8EuXFx2hQ4pM13FsRhEw",
  },
];

/** TestScalaCompatibilityKeyGeneration: the private key is a seed. */
const KEYS_OF_SEEDS = [
  {
    seed: decodeBase58("7UR2CZi6Gv6v1yqmgcPDD98ZtosvtHnNZRxvrHA2Tuyn"),
    publicKey: "jrugi0W0es2WxuHoptQtchqwactZsldOGucYObZrEIOpxbWmhL8dodvpnzA+2qUf",
  },
  {
    seed: text("-EXACTLY-32-BYTES-LENGTH-STRING-"),
    publicKey: "qSUdS6J92V1nNOdx4TafRu4U17qhqwVXKNyy2IVV9GWnUzUYlk/uH4l8fOoupSJj",
  },
  {
    seed: text("a string longer than 32 bytes is used as the seed here"),
    publicKey: "o2DzLHA7PG7BvHXTqnz4c8arX/tjiU11YuHsQnfUH0Lo/+ksy1toSYXFFy5auEJT",
  },
];

/** TestPoPVerifyScalaCompatibility: a key signs itself and the start of a period. */
const POSSESSIONS = [
  {
    periodStart: 3,
    signature:
      "my5jyvoghjn94fQU1HQ5EN4WLdxhVzMZJJVY2F8nQ9kDJDr1wCoPrnLvY3xF6FiDJ2wWK8CEeWd2NTKhFMB4chDSwRLRw2xPT45kMC726" +
      "watbDx8cuF3omkwsZpRDKyX4x4",
  },
  {
    periodStart: 6,
    signature:
      "ud4JBLaM8oqK5BmRAo1eXrTQPqD6fJ6yP1f6YovRV2P2ykKxgcgsv12wMvDNzLhd7KD96NqbUU88Ffqzsn47c1vBGrH6jR1NCbs9snf2F" +
      "PiBTsX46eL95rgysCmZLiXsN29",
  },
];
const POSSESSED_KEY = decodeBase58("7QtCEETGT76GHP7gR3Qc9DQzNjJYbxn4UJ7Bz7RofMQx5RJY7mZNveuFNfgJYg2kLn");

const [first, second] = ENDORSERS as [(typeof ENDORSERS)[number], (typeof ENDORSERS)[number]];
const fieldOrder = bls12_381.fields.Fp.ORDER;

/** Compressed point, with the smaller y. */
function encodedX(x: bigint, sizeBytes: number): Uint8Array {
  const bytes = bytesOfInteger(x, sizeBytes);
  bytes[0] = (bytes[0] as number) | 0x80;
  return bytes;
}

function infinity(sizeBytes: number): Uint8Array {
  return new Uint8Array(sizeBytes).with(0, 0xc0);
}

/** The same x with the larger y. */
function negated(encodedPoint: Uint8Array): Uint8Array {
  return encodedPoint.with(0, (encodedPoint[0] as number) ^ 0x20);
}

describe("blsSecretKeyOf", () => {
  it.each(KEYS_OF_SEEDS)("makes the reference's key $publicKey", ({ seed, publicKey }) => {
    expect(blsPublicKeyOf(blsSecretKeyOf(seed as PrivateKey))).toEqual(parseBase64(publicKey) as Uint8Array);
  });

  it("refuses fewer than 32 bytes", () => {
    expect(() => blsSecretKeyOf(new Uint8Array(31) as Uint8Array as PrivateKey)).toThrow(RangeError);
  });
});

describe("blsPublicKeyOf", () => {
  it("makes the reference's keys", () => {
    for (const { secretKey, publicKey } of ENDORSERS) expect(blsPublicKeyOf(secretKey)).toEqual(publicKey);
  });

  it.each([
    ["zero", bytesOfInteger(0n, 32)],
    ["the order of the group", bytesOfInteger(bls12_381.fields.Fr.ORDER, 32)],
    ["31 bytes", bytesOfInteger(1n, 31)],
  ])("refuses %s", (_name, secretKey) => {
    expect(() => blsPublicKeyOf(secretKey as Uint8Array as BlsSecretKey)).toThrow(RangeError);
  });
});

describe("blsSign", () => {
  it("makes the reference's signatures", () => {
    for (const { secretKey, signature } of ENDORSERS) expect(blsSign(secretKey, MESSAGE)).toEqual(signature);
  });
});

describe("blsVerify", () => {
  it("takes the reference's signatures, once and again", () => {
    for (const { publicKey, signature } of [...ENDORSERS, first])
      expect(blsVerify(publicKey, MESSAGE, signature)).toBe(true);
  });

  it.each(POSSESSIONS)("takes the reference's proof of possession for period $periodStart", (possession) => {
    const signature = decodeBase58(possession.signature);
    const messageFor = (start: number) => concatBytes(POSSESSED_KEY, i32Bytes(start));
    expect(blsVerify(POSSESSED_KEY, messageFor(possession.periodStart), signature)).toBe(true);
    expect(blsVerify(POSSESSED_KEY, messageFor(possession.periodStart + 1), signature)).toBe(false);
  });

  it("takes a signature of a long message", () => {
    const message = new Uint8Array(1_000).fill(7);
    expect(blsVerify(first.publicKey, message, blsSign(first.secretKey, message))).toBe(true);
  });

  it("refuses another message, key or signature, whatever held before", () => {
    expect(blsVerify(first.publicKey, MESSAGE, first.signature)).toBe(true);
    expect(blsVerify(first.publicKey, text("assertions"), first.signature)).toBe(false);
    expect(blsVerify(second.publicKey, MESSAGE, first.signature)).toBe(false);
    expect(blsVerify(first.publicKey, MESSAGE, second.signature)).toBe(false);
    expect(blsVerify(negated(first.publicKey), MESSAGE, first.signature)).toBe(false);
    expect(blsVerify(first.publicKey, MESSAGE, negated(first.signature))).toBe(false);
  });

  it("takes the negated key with the negated signature, which are another pair", () => {
    expect(blsVerify(negated(first.publicKey), MESSAGE, negated(first.signature))).toBe(true);
  });

  it("refuses infinity, and bytes of other sizes", () => {
    expect(blsVerify(first.publicKey, MESSAGE, infinity(BLS_SIGNATURE_BYTES))).toBe(false);
    expect(blsVerify(infinity(BLS_PUBLIC_KEY_BYTES), MESSAGE, infinity(BLS_SIGNATURE_BYTES))).toBe(false);
    expect(blsVerify(first.publicKey.subarray(1), MESSAGE, first.signature)).toBe(false);
    expect(blsVerify(first.publicKey, MESSAGE, concatBytes(first.signature, Uint8Array.of(0)))).toBe(false);
    expect(blsVerify(first.publicKey, MESSAGE, new Uint8Array(0))).toBe(false);
  });

  it("refuses a signature outside the group of prime order", () => {
    const { Fp2 } = bls12_381.fields;
    const isOnCurve = (x: bigint) => {
      const element = Fp2.fromBigTuple([x, 0n]);
      const square = Fp2.add(Fp2.mul(Fp2.sqr(element), element), Fp2.fromBigTuple([4n, 4n]));
      return Fp2.eql(Fp2.pow(square, (fieldOrder ** 2n - 1n) / 2n), Fp2.ONE);
    };
    const x = [1n, 2n, 3n, 4n, 5n, 6n, 7n].find(isOnCurve) as bigint;
    const outside = encodedX(x, BLS_SIGNATURE_BYTES);
    expect(() => bls12_381.G2.Point.fromBytes(outside)).toThrow("prime-order subgroup");
    expect(blsVerify(first.publicKey, MESSAGE, outside)).toBe(false);
  });
});

describe("isValidBlsPublicKey", () => {
  it("takes points of the group", () => {
    for (const { publicKey } of ENDORSERS) expect(isValidBlsPublicKey(publicKey)).toBe(true);
  });

  it("refuses infinity, with and without another bit", () => {
    expect(isValidBlsPublicKey(infinity(BLS_PUBLIC_KEY_BYTES))).toBe(false);
    expect(isValidBlsPublicKey(infinity(BLS_PUBLIC_KEY_BYTES).with(0, 0xe0))).toBe(false);
    expect(isValidBlsPublicKey(infinity(BLS_PUBLIC_KEY_BYTES).with(47, 1))).toBe(false);
  });

  it("refuses the uncompressed form, and bytes that do not say that they are compressed", () => {
    const point = bls12_381.G1.Point.fromBytes(first.publicKey);
    expect(isValidBlsPublicKey(point.toBytes(false))).toBe(false);
    expect(isValidBlsPublicKey(first.publicKey.with(0, (first.publicKey[0] as number) & 0x7f))).toBe(false);
  });

  it("refuses a coordinate that is not reduced", () => {
    const withSmallX = ENDORSERS.map(({ publicKey }) =>
      integerOfBytes(publicKey.with(0, (publicKey[0] as number) & 0x1f)),
    )
      .map((x) => x + fieldOrder)
      .find((x) => x < 1n << 381n);
    expect(withSmallX).toBeDefined();
    for (const mark of [0, 0x20]) {
      const bytes = encodedX(withSmallX as bigint, BLS_PUBLIC_KEY_BYTES);
      expect(isValidBlsPublicKey(bytes.with(0, (bytes[0] as number) | mark))).toBe(false);
    }
  });

  it("refuses points outside the group of prime order, and what is on no curve", () => {
    const results = new Set<string>();
    for (let x = 0n; x < 16n; x++) {
      const bytes = encodedX(x, BLS_PUBLIC_KEY_BYTES);
      const isOnCurve = bls12_381.fields.Fp.pow(x ** 3n + 4n, (fieldOrder - 1n) / 2n) === 1n;
      expect(isValidBlsPublicKey(bytes), `x = ${x}`).toBe(false);
      results.add(isOnCurve ? "outside the group" : "on no curve");
    }
    expect(results.size).toBe(2);
  });
});

describe("fastAggregateVerify", () => {
  it.each(AGGREGATES)("takes the reference's sum of the signatures of $members", ({ members, signature }) => {
    const endorsers = members.map((member) => ENDORSERS[member] as (typeof ENDORSERS)[number]);
    const sum = aggregateSignatures(endorsers.map((endorser) => endorser.signature));
    const keys = endorsers.map((endorser) => endorser.publicKey);
    expect(sum).toEqual(decodeBase58(signature));
    expect(fastAggregateVerify(keys, MESSAGE, sum)).toBe(true);
    expect(fastAggregateVerify(keys.toReversed(), MESSAGE, sum)).toBe(true);
    expect(fastAggregateVerify(keys, text("another"), sum)).toBe(false);
    expect(fastAggregateVerify(keys.slice(1), MESSAGE, sum)).toBe(false);
    expect(fastAggregateVerify([...keys, POSSESSED_KEY], MESSAGE, sum)).toBe(false);
  });

  it("refuses no keys, keys that are none, and keys that cancel each other", () => {
    expect(fastAggregateVerify([], MESSAGE, first.signature)).toBe(false);
    expect(fastAggregateVerify([], MESSAGE, infinity(BLS_SIGNATURE_BYTES))).toBe(false);
    expect(fastAggregateVerify([first.publicKey, infinity(BLS_PUBLIC_KEY_BYTES)], MESSAGE, first.signature)).toBe(
      false,
    );
    const cancelling = [first.publicKey, negated(first.publicKey)];
    expect(fastAggregateVerify(cancelling, MESSAGE, infinity(BLS_SIGNATURE_BYTES))).toBe(false);
    expect(fastAggregateVerify(cancelling, MESSAGE, first.signature)).toBe(false);
  });

  it("adds a key up as often as it is given", () => {
    const twice = aggregateSignatures([first.signature, first.signature]);
    expect(fastAggregateVerify([first.publicKey, first.publicKey], MESSAGE, twice)).toBe(true);
    expect(fastAggregateVerify([first.publicKey], MESSAGE, twice)).toBe(false);
  });
});

describe("aggregateSignatures", () => {
  it("refuses no signatures, and bytes that are none", () => {
    expect(() => aggregateSignatures([])).toThrow(RangeError);
    const broken = first.signature.with(0, 0) as Uint8Array as BlsSignature;
    expect(() => aggregateSignatures([first.signature, broken])).toThrow(RangeError);
  });
});
