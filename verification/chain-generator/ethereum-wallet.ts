/**
 * Ethereum wallet that signs for a generated chain: transactions of type 18 and orders of version 4.
 * @source EIP-155, EIP-712; docs/protocol/rest-api.md 3.4
 */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { publicKeyHashOf } from "../../src/crypto/address.ts";
import { concatBytes, i64Bytes } from "../../src/crypto/bytes.ts";
import { addressOfEthereumKey } from "../../src/crypto/ethereum-key.ts";
import { keccak256, sha256 } from "../../src/crypto/hash.ts";
import type { Address } from "../../src/crypto/identities.ts";
import { utf8Bytes } from "../../src/protocol/codec/utf8.ts";
import type { AssetId } from "../../src/protocol/transactions/asset.ts";
import { gasPriceWei, parseEthereumTransaction, weiPerWavelet } from "../../src/protocol/transactions/ethereum.ts";
import { type OrderContent, orderTypedDataHash } from "../../src/protocol/transactions/order-typed-data.ts";
import { encodeRlpList, rlpInteger } from "../../src/protocol/transactions/rlp.ts";
import type { EthereumTransaction } from "../../src/protocol/transactions/transaction.ts";

const transferSelector = Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb);
const noBytes = new Uint8Array(0);

export interface EthereumTransfer {
  readonly recipient: Address;
  /** Null: WAVES. */
  readonly asset: AssetId | null;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly timestamp: bigint;
}

export interface EthereumInvocation {
  readonly dApp: Address;
  readonly data: Uint8Array;
  readonly fee: bigint;
  readonly timestamp: bigint;
}

interface EthereumContent {
  readonly to: Uint8Array;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly fee: bigint;
  readonly timestamp: bigint;
}

export class EthereumWallet {
  readonly address: Address;
  readonly #privateKey: Uint8Array;
  readonly #chainId: number;

  constructor(seed: string, chainId: number) {
    this.#privateKey = sha256(utf8Bytes(`Ethereum wallet ${seed}`));
    this.#chainId = chainId;
    const publicKey = secp256k1.getPublicKey(this.#privateKey, false).slice(1);
    this.address = addressOfEthereumKey(publicKey, chainId);
  }

  transfer({ recipient, asset, amount, fee, timestamp }: EthereumTransfer): EthereumTransaction {
    const recipientHash = publicKeyHashOf(recipient);
    const isNative = asset === null;
    const data = isNative
      ? noBytes
      : concatBytes(transferSelector, new Uint8Array(12), recipientHash, new Uint8Array(24), i64Bytes(amount));
    const to = isNative ? recipientHash : asset.subarray(0, 20);
    return this.#signed({ to, value: isNative ? amount * weiPerWavelet : 0n, data, fee, timestamp });
  }

  call({ dApp, data, fee, timestamp }: EthereumInvocation): EthereumTransaction {
    return this.#signed({ to: publicKeyHashOf(dApp), value: 0n, data, fee, timestamp });
  }

  #signed({ to, value, data, fee, timestamp }: EthereumContent): EthereumTransaction {
    const parts = [rlpInteger(timestamp), rlpInteger(gasPriceWei), rlpInteger(fee), to, rlpInteger(value), data];
    const unsigned = encodeRlpList([...parts, rlpInteger(BigInt(this.#chainId)), noBytes, noBytes]);
    const { r, s, recovery } = this.#sign(keccak256(unsigned));
    const v = BigInt(this.#chainId * 2 + 35 + recovery);
    return parseEthereumTransaction(
      encodeRlpList([...parts, rlpInteger(v), rlpInteger(r), rlpInteger(s)]),
      this.#chainId,
    );
  }

  /** 65 bytes: r, s and 27 or 28. */
  signOrder(order: OrderContent): Uint8Array {
    const { bytes, recovery } = this.#sign(orderTypedDataHash(order));
    return concatBytes(bytes, Uint8Array.of(27 + recovery));
  }

  #sign(hash: Uint8Array): { r: bigint; s: bigint; recovery: number; bytes: Uint8Array } {
    const recovered = secp256k1.sign(hash, this.#privateKey, { prehash: false, format: "recovered" });
    const { r, s, recovery } = secp256k1.Signature.fromBytes(recovered, "recovered");
    return { r, s, recovery: recovery as number, bytes: recovered.slice(1) };
  }
}
