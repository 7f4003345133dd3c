/** The state after a form, as a view for the rules of finality. */

import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { SignedHeader } from "../../../src/protocol/blocks/block.ts";
import type { Commitment, Conflicts } from "../../../src/rules/finality/commitment.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { type BlockForm, type FormState, findCommitment, noPeriod } from "./block-form.ts";
import type { CommitteeWorld } from "./committee-world.ts";

/** Numbers of accounts, by address. */
const numbersOf = new WeakMap<CommitteeWorld, ReadonlyMap<BytesKey, number>>();

export function numberOf(world: CommitteeWorld, address: Address): number {
  let numbers = numbersOf.get(world);
  if (numbers === undefined) {
    const all = [...world.members, world.outsider];
    numbers = new Map(all.map((member) => [bytesKey(member.address), member.number]));
    numbersOf.set(world, numbers);
  }
  const number = numbers.get(bytesKey(address));
  if (number === undefined) throw new Error("an address without an account");
  return number;
}

/** Members of a state that the rules of finality read. */
type FinalityMember =
  | "settings"
  | "height"
  | "has"
  | "isActive"
  | "activationHeight"
  | "historyFrom"
  | "findHeader"
  | "commitments"
  | "commitmentCount"
  | "findCommitment"
  | "conflicts"
  | "minimumEffectiveBalance";

/** @param line blocks up to the height, or up to its parent while the block is being made */
export function viewOf(
  world: CommitteeWorld,
  height: number,
  line: readonly BlockForm[],
  { periods }: Pick<FormState, "periods">,
): StateView {
  const periodAt = (start: number) => periods.get(start) ?? noPeriod;
  const view: Pick<StateView, FinalityMember> = {
    settings: world.settings,
    height,
    historyFrom: 1,
    activationHeight: (feature) => world.features.activationHeight(feature),
    isActive: (feature, at) => world.features.isActive(feature, at),
    has: (feature) => world.features.isActive(feature, height),
    findHeader: (at) => line[at - 1] as SignedHeader | undefined,
    commitments: (start): readonly Commitment[] => periodAt(start).commitments,
    commitmentCount: (start) => periodAt(start).commitments.length,
    findCommitment: (start, address) => findCommitment(periodAt(start), address),
    conflicts: (start): Conflicts => periodAt(start).conflicts,
    minimumEffectiveBalance: (address, from, to) => {
      const form = line[to - 1];
      if (form === undefined || from > 2) throw new Error(`nothing is known of heights ${from} to ${to}`);
      return form.state.lowest[numberOf(world, address)] as bigint;
    },
  };
  // The simulated rules read no other members.
  return view as StateView;
}

export function viewOfForm(world: CommitteeWorld, { height, line, state }: BlockForm): StateView {
  return viewOf(world, height, line, state);
}
