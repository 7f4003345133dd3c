/** @see Waves: state/Blockchain.scala (resolveAlias); database/patch/DisableHijackedAliases.scala */
import { expect, test } from "vitest";
import { isAliasDisabled, resolveRecipient } from "../../../../src/rules/transactions/checks/recipients.ts";
import { addresses, to, violationOf } from "../../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../../support/fakes/in-memory-state.ts";

const alias = (chainId: number, name = "name") => ({ chainId, name });
/** State in which the name had two owners, Bob last. */
function withDisabledAlias(schemeCharacter: string, height: number): InMemoryState {
  const named = alias(schemeCharacter.charCodeAt(0));
  return new InMemoryState({ schemeCharacter, height })
    .with({ aliases: [{ alias: named, address: addresses.alice }] })
    .with({ aliases: [{ alias: named, address: addresses.bob }] });
}

test("a taken over name has no owner on mainnet from height 1,060,001 on", () => {
  const ofMainnet = alias(87);
  expect([1_060_000, 1_060_001].map((height) => isAliasDisabled(ofMainnet, withDisabledAlias("W", height)))).toEqual([
    false,
    true,
  ]);
  expect(
    violationOf(() => resolveRecipient({ kind: "alias", alias: ofMainnet }, withDisabledAlias("W", 1_060_001))),
  ).toEqual({
    code: "aliasDisabled",
    alias: ofMainnet,
  });
});

test("on other networks it belongs to its last owner", () => {
  const view = withDisabledAlias("R", 2_000_000);
  expect(isAliasDisabled(alias(82), view)).toBe(false);
  expect(resolveRecipient({ kind: "alias", alias: alias(82) }, view)).toEqual(addresses.bob);
});

test("a name with one owner resolves to that one, an address to itself", () => {
  const view = new InMemoryState({ schemeCharacter: "W", height: 2_000_000 });
  view.with({ aliases: [{ alias: alias(87), address: addresses.carol }] });
  expect(resolveRecipient({ kind: "alias", alias: alias(87) }, view)).toEqual(addresses.carol);
  expect(resolveRecipient(to(addresses.alice), view)).toEqual(addresses.alice);
});
