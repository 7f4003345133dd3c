/**
 * What a fork has brought of the network behind it into the read model: facts are asked for before anything is read that stands
 * on them, so that no answer takes for absent what nobody has asked for.
 */
import type { ForkBrought } from "../env.ts";
import { factName, type RemoteFact } from "../network/remote-fact.ts";
import type { Chain } from "./chain.ts";

/** Names that are remembered at most. */
const MAX_REMEMBERED = 20_000;

/** What stands on facts that did not come. */
export class NotBrought extends Error {
  override readonly name = "NotBrought";
  /** Whether no node ever tells them; otherwise it may help to ask again. */
  readonly isUntold: boolean;

  constructor(sentence: string, { isUntold }: { readonly isUntold: boolean }) {
    super(sentence);
    this.isUntold = isUntold;
  }
}

export class BroughtFacts {
  /** Of a chain and its epoch: where either is another one, state was taken back, and facts with it. */
  #of = "";
  readonly #known = new Set<string>();

  /** Those that are not known to be in the state. */
  missingIn(chain: Chain, facts: readonly RemoteFact[]): readonly RemoteFact[] {
    return facts.filter((fact) => chainName(chain) !== this.#of || !this.#known.has(factName(fact)));
  }

  /** @param bring asks the fork @throws NotBrought; what `bring` throws */
  async bring(
    chain: Chain,
    facts: readonly RemoteFact[],
    bring: (facts: RemoteFact[]) => Promise<ForkBrought>,
  ): Promise<void> {
    const answer = await bring([...facts]);
    if (answer.kind !== "known") throw new NotBrought(answer.sentence, { isUntold: answer.kind === "untold" });
    const name = chainName(chain);
    if (name !== this.#of || this.#known.size > MAX_REMEMBERED) this.#known.clear();
    this.#of = name;
    for (const fact of facts) this.#known.add(factName(fact));
  }
}

function chainName({ identity, epoch }: Chain): string {
  return `${identity}/${epoch}`;
}
