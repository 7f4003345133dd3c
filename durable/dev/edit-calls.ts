/**
 * What the owner of a dev chain sets in its state. Each time a block is made first and the change put on it, as a step of its
 * own: it belongs to the block whose height is answered, and goes when that block is taken back. Where no block can be made it
 * is put on the tip as it is, so that what keeps the chain from going on can be mended.
 */
import { addressOfPublicKey, addressText } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import type { Address, PublicKey } from "../../src/crypto/identities.ts";
import type { DevRpc, EditAnswer } from "../../src/env.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import type { AssetId } from "../../src/protocol/transactions/asset.ts";
import type { DataEntry, Script } from "../../src/protocol/transactions/transaction.ts";
import type { StateEdit } from "../chain/liquid-chain.ts";
import type { Chain } from "../chain/open-chain.ts";
import { findPublicKey, type KeySources } from "./known-key.ts";
import { isRefusal, refusalOf } from "./refusal.ts";
import { balanceEdit, dataEdit, noEdit, scriptEdit } from "./state-edit.ts";

export interface EditFacts {
  readonly chain: Pick<Chain, "view" | "stored">;
  readonly keys: KeySources;
  /** Makes the next block, without transactions. @returns takes it back @throws RuleError, DevRefused why there can be none */
  readonly makeBlock: () => () => void;
  /** Puts the change on the tip. @throws RuleError */
  readonly edit: (edit: StateEdit) => void;
  /** See `Node.attempt`. */
  readonly attempt: <T>(run: () => T) => Promise<Awaited<T>>;
  /** Has all that the change reads and writes over, on a fork. @throws what it throws */
  readonly expect: (edit: () => StateEdit) => Promise<void>;
  /** Resolves once readers see the chain as it is. */
  readonly seen: () => Promise<void>;
  /** Is told what was set. */
  readonly log: (sentence: string) => void;
}

export class EditCalls implements Pick<DevRpc, "setData" | "setScript" | "setBalance"> {
  readonly #facts: EditFacts;

  constructor(facts: EditFacts) {
    this.#facts = facts;
  }

  setData(address: Uint8Array, entries: readonly DataEntry[]): Promise<EditAnswer> {
    const account = address as Address;
    return this.#set(`${entries.length} data entries of ${addressText(account)}`, () => dataEdit(account, entries));
  }

  async setScript(...[account, script]: Parameters<DevRpc["setScript"]>): Promise<EditAnswer> {
    const { chain, keys, attempt } = this.#facts;
    const { view } = chain;
    const [address, key] =
      "publicKey" in account
        ? [addressOfPublicKey(account.publicKey as PublicKey, view.settings.chainId), account.publicKey as PublicKey]
        : [account.address as Address, await attempt(() => findPublicKey(account.address as Address, keys))];
    return this.#set(`the script of ${addressText(address)}`, () => {
      if (key !== undefined) return scriptEdit(key, script as Script | null, view);
      // An account that has a script has a key that is known.
      if (script === null) return noEdit;
      throw new RuleError({ code: "generic", message: unknownKeyText(address) });
    });
  }

  setBalance(address: Uint8Array, assetId: Uint8Array | null, amount: bigint): Promise<EditAnswer> {
    const { chain } = this.#facts;
    const wanted = { address: address as Address, asset: assetId as AssetId | null, balance: amount };
    const what = assetId === null ? "WAVES" : encodeBase58(assetId);
    return this.#set(`the balance of ${addressText(wanted.address)} in ${what}`, () =>
      balanceEdit(wanted, { view: chain.view, wavesAmount: chain.stored.tip().wavesAmount }),
    );
  }

  /** @param what is set, for the log @param edit on the tip as it is when it is asked */
  async #set(what: string, edit: () => StateEdit): Promise<EditAnswer> {
    const { chain, log, seen } = this.#facts;
    try {
      // What is refused makes no block.
      await this.#facts.expect(edit);
      this.#onBlock(() => this.#facts.edit(edit()));
    } catch (error) {
      return refusalOf(error);
    }
    const { height } = chain.view;
    log(`the owner has set ${what} at height ${height}`);
    await seen();
    return { kind: "done", height };
  }

  /** What could be done before the block may be refused behind it, for its reward: then it goes again. @throws what `run` throws */
  #onBlock(run: () => void): void {
    const takeBlockBack = this.#makeBlock();
    try {
      run();
    } catch (error) {
      if (isRefusal(error)) takeBlockBack();
      throw error;
    }
  }

  /** @returns takes the block back, if there is one @throws what is in the way, where the tip takes no change either */
  #makeBlock(): () => void {
    const { makeBlock, chain } = this.#facts;
    try {
      return makeBlock();
    } catch (error) {
      if (!isRefusal(error) || chain.stored.isTipFinal()) throw error;
      return () => {};
    }
  }
}

function unknownKeyText(address: Address): string {
  return `The chain has not seen the public key of ${addressText(address)}, which a script's account has: say publicKey in place of address`;
}
