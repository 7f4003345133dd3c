/** The accounts that sources refer to, with the data that scripts read. */
import { parseAddressBytes } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import type { Environment, ScriptBalance, ScriptDataValue } from "../../src/ride/evaluator/environment.ts";
import { ExecutionError } from "../../src/ride/execution-error.ts";
import type { ScriptRecipient } from "../../src/ride/objects/recipients.ts";
import { addressObject } from "../../src/ride/objects/recipients.ts";
import type { FuzzNames } from "./source-writer.ts";

export interface FuzzAccount {
  readonly address: Uint8Array;
  readonly data: ReadonlyMap<string, ScriptDataValue>;
  readonly balance: ScriptBalance;
  readonly script: Uint8Array | undefined;
}

export interface FuzzWorld {
  readonly chainId: number;
  readonly names: FuzzNames;
  /** Accounts by address in base58. */
  readonly accounts: ReadonlyMap<string, FuzzAccount>;
  /** Heights by transaction id in base58. */
  readonly heights: ReadonlyMap<string, number>;
}

export const accountData: ReadonlyMap<string, ScriptDataValue> = new Map<string, ScriptDataValue>([
  ["int", 42n],
  ["str", "some text"],
  ["bin", new Uint8Array([1, 2, 3])],
  ["bool", true],
]);

const none: ScriptBalance = { available: 0n, regular: 0n, generating: 0n, effective: 0n };

/** Environment of the account's script. Sources do not use the members left out. */
export function worldEnvironment(world: FuzzWorld, self: Uint8Array): Environment {
  const notThere = (): never => {
    throw new Error("sources must not ask for this");
  };
  const find = (recipient: ScriptRecipient): FuzzAccount | undefined => {
    if (recipient.kind === "alias") throw new ExecutionError(`Alias 'alias:R:${recipient.alias}' does not exists.`);
    return world.accounts.get(encodeBase58(recipient.bytes));
  };
  return {
    mayRefuseWork: false,
    chainId: world.chainId,
    height: notThere,
    transactionId: () => new Uint8Array(32),
    delayMs: notThere,
    input: notThere,
    scriptText: () => "DApp",
    self: () => addressObject(self),
    selfAddress: () => self,
    lastBlock: notThere,
    findBlock: notThere,
    findData: (recipient, key) => find(recipient)?.data.get(key),
    hasData: (recipient) => (find(recipient)?.data.size ?? 0) > 0,
    findAddress: (bytes) => {
      const address = parseAddressBytes(bytes, world.chainId);
      return address instanceof Uint8Array ? address : undefined;
    },
    addressInMessage: (bytes, messageChainId) => {
      const address = parseAddressBytes(bytes, messageChainId);
      return address instanceof Uint8Array ? address : undefined;
    },
    resolveAlias: notThere,
    balance: (recipient, assetId) => (assetId === undefined ? (find(recipient)?.balance.regular ?? 0n) : 0n),
    wavesBalance: (recipient) => find(recipient)?.balance ?? none,
    findAsset: () => undefined,
    findTransactionHeight: (id) => world.heights.get(encodeBase58(id)),
    findTransaction: notThere,
    findTransfer: () => undefined,
    findScript: (recipient) => find(recipient)?.script,
  };
}
