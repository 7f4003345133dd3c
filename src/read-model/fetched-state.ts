/**
 * State of the source network that a fork has fetched into the read model. A query fetches the remote state that it
 * depends on first, so that nothing counts as absent merely because it was never fetched.
 */
import type { ForkBrought } from "../env.ts";
import { factName, type RemoteFact } from "../network/remote-state-key.ts";
import type { Chain } from "./chain.ts";

/** Maximum of remembered names of remote state keys. */
const MAX_REMEMBERED = 20_000;

/** Remote state that a query needs and that could not be fetched. */
export class NotBrought extends Error {
  override readonly name = "NotBrought";
  /** Whether no node serves it; otherwise a retry may help. */
  readonly isUntold: boolean;

  constructor(sentence: string, { isUntold }: { readonly isUntold: boolean }) {
    super(sentence);
    this.isUntold = isUntold;
  }
}

export class BroughtFacts {
  /** Chain and epoch of the known keys: if either changes, a rollback may have removed fetched state. */
  #of = "";
  readonly #known = new Set<string>();

  /** Keys that are not known to be in the state. */
  missingIn(chain: Chain, remoteKeys: readonly RemoteFact[]): readonly RemoteFact[] {
    return remoteKeys.filter((remoteKey) => chainName(chain) !== this.#of || !this.#known.has(factName(remoteKey)));
  }

  /** @param bring requests keys from the fork @throws NotBrought; errors of `bring` */
  async bring(
    chain: Chain,
    remoteKeys: readonly RemoteFact[],
    bring: (remoteKeys: RemoteFact[]) => Promise<ForkBrought>,
  ): Promise<void> {
    const result = await bring([...remoteKeys]);
    if (result.kind !== "known") throw new NotBrought(result.sentence, { isUntold: result.kind === "untold" });
    const name = chainName(chain);
    if (name !== this.#of || this.#known.size > MAX_REMEMBERED) this.#known.clear();
    this.#of = name;
    for (const remoteKey of remoteKeys) this.#known.add(factName(remoteKey));
  }
}

function chainName({ identity, epoch }: Chain): string {
  return `${identity}/${epoch}`;
}
