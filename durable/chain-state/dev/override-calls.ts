/**
 * State overrides by the owner of a dev chain. Each override first makes a block and is then applied to it as a commit
 * of its own: it belongs to the block whose height is returned, and is rolled back with that block. If no block can be
 * made, it is applied to the tip as it is, so that the owner can remove the cause.
 */
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import type { DevRpc, StateOverrideResult } from "../../../src/env.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { DataEntry, Script } from "../../../src/protocol/transactions/transaction.ts";
import type { StateOverride } from "../chain/liquid-chain.ts";
import type { Chain } from "../chain/open-chain.ts";
import { findPublicKey, type KeySources } from "./known-key.ts";
import { isRefusal, refusalOf } from "./refusal.ts";
import { balanceOverride, dataOverride, noOverride, scriptOverride } from "./state-override.ts";

export interface OverrideCallsOptions {
  readonly chain: Pick<Chain, "view" | "stored">;
  readonly keys: KeySources;
  /**
   * Makes the next block, without transactions.
   * @returns rolls the block back
   * @throws RuleError, DevRefused if no block is possible
   */
  readonly makeBlock: () => () => void;
  /** Applies the override to the tip. @throws RuleError */
  readonly applyOverride: (applyOverride: StateOverride) => void;
  /** See `Node.attempt`. */
  readonly attempt: <T>(run: () => T) => Promise<Awaited<T>>;
  /** Fetches all state that the override needs, on a fork. @throws errors of `edit` */
  readonly prepare: (applyOverride: () => StateOverride) => Promise<void>;
  /** Resolves once readers see the current chain. */
  readonly seen: () => Promise<void>;
  /** Logs the override. */
  readonly log: (message: string) => void;
}

export class OverrideCalls implements Pick<DevRpc, "setData" | "setScript" | "setBalance"> {
  readonly #options: OverrideCallsOptions;

  constructor(options: OverrideCallsOptions) {
    this.#options = options;
  }

  setData(address: Uint8Array, entries: readonly DataEntry[]): Promise<StateOverrideResult> {
    const account = address as Address;
    return this.#set(`${entries.length} data entries of ${addressText(account)}`, () => dataOverride(account, entries));
  }

  async setScript(...[account, script]: Parameters<DevRpc["setScript"]>): Promise<StateOverrideResult> {
    const { chain, keys, attempt } = this.#options;
    const { view } = chain;
    const [address, key] =
      "publicKey" in account
        ? [addressOfPublicKey(account.publicKey as PublicKey, view.settings.chainId), account.publicKey as PublicKey]
        : [account.address as Address, await attempt(() => findPublicKey(account.address as Address, keys))];
    return this.#set(`the script of ${addressText(address)}`, () => {
      if (key !== undefined) return scriptOverride(key, script as Script | null, view);
      // The key of an account with a script is known.
      if (script === null) return noOverride;
      throw new RuleError({ code: "generic", message: unknownKeyText(address) });
    });
  }

  setBalance(address: Uint8Array, assetId: Uint8Array | null, amount: bigint): Promise<StateOverrideResult> {
    const { chain } = this.#options;
    const override = { address: address as Address, asset: assetId as AssetId | null, balance: amount };
    const assetName = assetId === null ? "WAVES" : encodeBase58(assetId);
    return this.#set(`the balance of ${addressText(override.address)} in ${assetName}`, () =>
      balanceOverride(override, { view: chain.view, wavesAmount: chain.stored.tip().wavesAmount }),
    );
  }

  /** @param subject name of the changed value, for the log @param edit creates the override on the current tip */
  async #set(subject: string, edit: () => StateOverride): Promise<StateOverrideResult> {
    const { chain, log, seen } = this.#options;
    try {
      // A refused override makes no block.
      await this.#options.prepare(edit);
      this.#onBlock(() => this.#options.applyOverride(edit()));
    } catch (error) {
      return refusalOf(error);
    }
    const { height } = chain.view;
    log(`the owner has set ${subject} at height ${height}`);
    await seen();
    return { kind: "done", height };
  }

  /**
   * Makes a block and runs. An override that was possible before the block may be refused after it, for the block's
   * reward; then the block is rolled back.
   * @throws errors of `run`
   */
  #onBlock(run: () => void): void {
    const rollBackBlock = this.#makeBlock();
    try {
      run();
    } catch (error) {
      if (isRefusal(error)) rollBackBlock();
      throw error;
    }
  }

  /** @returns rolls the block back, if there is one @throws the obstacle, if the tip cannot be changed either */
  #makeBlock(): () => void {
    const { makeBlock, chain } = this.#options;
    try {
      return makeBlock();
    } catch (error) {
      if (!isRefusal(error) || chain.stored.isTipFinal()) throw error;
      return () => {};
    }
  }
}

function unknownKeyText(address: Address): string {
  const reason = `The chain has not seen the public key of ${addressText(address)}`;
  return `${reason}, which an account with a script needs: give publicKey instead of address`;
}
