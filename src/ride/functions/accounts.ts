/**
 * Functions of addresses: from keys, texts and aliases, and to text.
 * @source Waves: lang/v1/evaluator/ctx/impl/waves/Functions.scala
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import { parseBase58 } from "../../crypto/base58.ts";
import { addressOfEthereumKey, ETHEREUM_KEY_BYTES } from "../../crypto/ethereum-key.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import { ExecutionError } from "../execution-error.ts";
import { addressBytesOf, addressObject, namedRecipientOf } from "../objects/recipients.ts";
import type { Expression } from "../script/expression.ts";
import { Structure, textValue, unit } from "../values/value.ts";
import { bytesText } from "../values/value-text.ts";
import { throwing } from "./data-entries.ts";
import { composed, type LibraryFunction, native, refusal } from "./function-definition.ts";
import { call, choose, constant, letIn, ref } from "./tree.ts";

const id = { equal: 0, sizeBytes: 200, take: 201, drop: 202, join: 203, takeText: 303, dropText: 304 } as const;
const addressBytes = 26;
const publicKeyBytes = 32;
const hashBytes = 20n;
const checksumBytes = 4n;
const addressVersion = 1;
const addressPrefix = "address:";
const cheapHashesSince = 4;

function secureHash(bytes: Expression, libraryVersion: number): Expression {
  return libraryVersion >= cheapHashesSince ? call(2700, call(2800, bytes)) : call(501, call(502, bytes));
}

function take(bytes: Expression, count: bigint): Expression {
  return call(id.take, bytes, constant(count));
}

function equal(left: Expression, right: Expression): Expression {
  return call(id.equal, left, right);
}

const text = ref("@string");
const bytes = ref("@afs_addrBytes");
const withoutChecksum = ref("@afpk_withoutChecksum");

const addressFromOldString = composed("addressFromString(@string: String): Address|Unit", {
  since: 1,
  until: 3,
  complexity: 124,
  body: ({ chainId, libraryVersion }) => {
    const prefix = constant(BigInt(addressPrefix.length));
    const isChecked = equal(
      call("takeRightBytes", bytes, constant(checksumBytes)),
      take(secureHash(call("dropRightBytes", bytes, constant(checksumBytes)), libraryVersion), checksumBytes),
    );
    const checks = [
      equal(call(id.sizeBytes, bytes), constant(BigInt(addressBytes))),
      equal(take(bytes, 1n), constant(Uint8Array.of(addressVersion))),
      equal(take(call(id.drop, bytes, constant(1n)), 1n), constant(Uint8Array.of(chainId))),
      isChecked,
    ];
    return letIn(
      "@afs_addrBytes",
      call(
        601,
        choose(equal(call(id.takeText, text, prefix), constant(addressPrefix)), call(id.dropText, text, prefix), text),
      ),
      checks.reduceRight<Expression>((then, check) => choose(check, then, ref("unit")), call("Address", bytes)),
    );
  },
});

/** Maximum number of base58 digits for 26 bytes. */
const addressCharacters = 36;
const addressFromString = native(1062, "addressFromString(@string: String): Address|Unit", {
  since: 4,
  complexity: 1,
  takes: ["String"],
  usage: "addressFromString(a: String)",
  evaluate: ([{ text: input }], { environment }) => {
    const plain = input.startsWith(addressPrefix) ? input.slice(addressPrefix.length) : input;
    // Its complexity is 1: texts that are too long for an address are not decoded.
    const parsed = plain.length <= addressCharacters ? parseBase58(plain) : undefined;
    const address = parsed instanceof Uint8Array ? environment.findAddress(parsed) : undefined;
    return address === undefined ? unit : addressObject(address);
  },
});

export const accountFunctions: readonly LibraryFunction[] = [
  composed("addressFromPublicKey(@publicKey: ByteVector): Address", {
    since: 1,
    until: 5,
    complexity: { 1: 82, 4: 63 },
    body: ({ chainId, libraryVersion }) =>
      call(
        "Address",
        letIn(
          "@afpk_withoutChecksum",
          call(
            id.join,
            constant(Uint8Array.of(addressVersion, chainId)),
            take(secureHash(ref("@publicKey"), libraryVersion), hashBytes),
          ),
          call(id.join, withoutChecksum, take(secureHash(withoutChecksum, libraryVersion), checksumBytes)),
        ),
      ),
  }),
  native(1063, "addressFromPublicKey(publicKey: ByteVector): Address", {
    since: 6,
    complexity: 1,
    takes: ["ByteVector"],
    printedAs: "addressFromPublicKey(AddressOrAlias: Address|Alias): Address",
    evaluate: ([publicKey], { environment }) => {
      const { length } = publicKey;
      if (length === ETHEREUM_KEY_BYTES) return addressObject(addressOfEthereumKey(publicKey, environment.chainId));
      if (length === publicKeyBytes) {
        return addressObject(addressOfPublicKey(publicKey as PublicKey, environment.chainId));
      }
      throw new ExecutionError(`requirement failed: invalid public key length: ${length}`);
    },
  }),
  addressFromOldString,
  addressFromString,
  ...throwing(addressFromOldString),
  ...throwing(addressFromString),
  native(1060, "addressFromRecipient(AddressOrAlias: Address|Alias): Address", {
    since: 1,
    complexity: { 1: 100, 4: 5 },
    takes: ["Any"],
    usage: "addressFromRecipient(a: AddressOrAlias)",
    evaluate: ([recipient], { environment }) => {
      if (recipient instanceof Structure && recipient.type === "Address") return recipient;
      if (recipient instanceof Structure && recipient.type === "Alias") {
        const named = namedRecipientOf(recipient);
        if (named.kind === "alias") return addressObject(environment.resolveAlias(named.alias));
      }
      throw refusal([recipient], "addressFromRecipient(a: AddressOrAlias)");
    },
  }),
  native(1061, "toString(Address: Address): String", {
    since: 3,
    complexity: { 3: 10, 6: 1 },
    takes: ["Any"],
    usage: "toString(a: Address)",
    evaluate: ([address]) => {
      if (!(address instanceof Structure && address.type === "Address")) {
        throw refusal([address], "toString(a: Address)");
      }
      return textValue(bytesText(addressBytesOf(address)));
    },
  }),
];
