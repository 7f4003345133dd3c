/** Environment without a chain, for scripts that need none. */
import { parseAddressBytes } from "../../../src/crypto/address.ts";
import type { Environment } from "../../../src/ride/evaluator/environment.ts";
import { addressObject } from "../../../src/ride/objects/recipients.ts";

/** The script read the chain. */
export class ChainNeeded extends Error {
  override readonly name = "ChainNeeded";
}

function needsChain(): never {
  throw new ChainNeeded();
}

export function pureEnvironment({ chainId = 1, self }: { chainId?: number; self?: Uint8Array } = {}): Environment {
  return {
    mayRefuseWork: false,
    chainId,
    height: () => 0,
    transactionId: needsChain,
    delayMs: needsChain,
    input: needsChain,
    scriptText: needsChain,
    self: () => (self === undefined ? needsChain() : addressObject(self)),
    selfAddress: () => self,
    lastBlock: needsChain,
    findBlock: needsChain,
    findData: needsChain,
    hasData: needsChain,
    findAddress: (bytes) => {
      const address = parseAddressBytes(bytes, chainId);
      return address instanceof Uint8Array ? address : undefined;
    },
    addressInMessage: (bytes, messageChainId) => {
      const address = parseAddressBytes(bytes, messageChainId);
      return address instanceof Uint8Array ? address : undefined;
    },
    resolveAlias: needsChain,
    balance: needsChain,
    wavesBalance: needsChain,
    findAsset: needsChain,
    findTransactionHeight: needsChain,
    findTransaction: needsChain,
    findTransfer: needsChain,
    findScript: needsChain,
  };
}
