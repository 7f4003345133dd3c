import type { RemoteFact } from "../../network/remote-fact.ts";
import { factName } from "../../network/remote-fact.ts";

/**
 * A fork was asked for what it does not know yet. Nobody is to blame and nothing has happened: whoever asked brings the facts,
 * and asks again.
 */
export class RemoteStateMissing extends Error {
  override readonly name = "RemoteStateMissing";
  readonly facts: readonly RemoteFact[];

  constructor(facts: readonly RemoteFact[]) {
    super(`the fork does not know yet: ${facts.map(factName).join(", ")}`);
    this.facts = facts;
  }
}
