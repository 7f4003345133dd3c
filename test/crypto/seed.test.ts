import { describe, expect, it } from "vitest";
import { addressOfPublicKey, addressText, parseAddress } from "../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../src/crypto/base58.ts";
import { concatBytes, i32Bytes, i64Bytes } from "../../src/crypto/bytes.ts";
import { verify } from "../../src/crypto/curve25519.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../src/crypto/seed.ts";
import { fixtureText } from "../support/fixtures/recorded-lines.ts";

const CHAIN_ID = "R".charCodeAt(0);
/** `waves private node seed with waves tokens` */
const WALLET_SEED = decodeBase58("TBXHUUcVx2n3Rgszpu5MCybRaR86JGmqCWp7XKh7czU57ox5dgjdX4K4");
const ACCOUNTS = [
  ["3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF", "AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV"],
  ["3MGqWUDyZuENhGUK7MqcavBbgtTgfMeDzUW", "4228hbjw3t8TcogeRC8WK8Jh8kbGkmd9gtc23CSGT3bJ"],
  ["3MJfAPuSQgQSB1AcUHHFzRUjMpx7j35YsQv", "BCvKAJz9ZytZPKqTNQNKJe8n6Wmxq7iCruNHqTZ1k7qX"],
] as const;

describe("a wallet's accounts", () => {
  it.each(ACCOUNTS.map(([address, publicKey], nonce) => ({ nonce, address, publicKey })))(
    "number $nonce is $address",
    ({ nonce, address, publicKey }) => {
      const keys = keyPairOfAccountSeed(accountSeed(WALLET_SEED, nonce));
      expect(encodeBase58(keys.publicKey)).toBe(publicKey);
      expect(addressText(addressOfPublicKey(keys.publicKey, CHAIN_ID))).toBe(address);
    },
  );

  it("sign the genesis block of a custom network with the empty account seed", () => {
    const settings = JSON.parse(fixtureText("private-a/network.json")).waves.blockchain.custom.genesis;
    const { publicKey } = keyPairOfAccountSeed(new Uint8Array(0));
    const transactions = settings.transactions.map((transaction: { recipient: string; amount: number }) => {
      const recipient = parseAddress(transaction.recipient, CHAIN_ID) as Uint8Array;
      const timestamp = i64Bytes(BigInt(settings.timestamp));
      const bytes = concatBytes(Uint8Array.of(1), timestamp, recipient, i64Bytes(BigInt(transaction.amount)));
      return concatBytes(i32Bytes(bytes.length), bytes);
    });
    const transactionData = concatBytes(Uint8Array.of(transactions.length), ...transactions);
    const unsigned = concatBytes(
      ...[Uint8Array.of(1), i64Bytes(BigInt(settings["block-timestamp"])), new Uint8Array(64).fill(0xff), i32Bytes(40)],
      ...[i64Bytes(BigInt(settings["initial-base-target"])), new Uint8Array(32)],
      ...[i32Bytes(transactionData.length), transactionData, publicKey],
    );
    expect(verify(decodeBase58(settings.signature), unsigned, publicKey)).toBe(true);
  });
});
