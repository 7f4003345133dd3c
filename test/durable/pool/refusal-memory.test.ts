import { expect, test } from "vitest";
import { MAX_REFUSALS, RefusalMemory } from "../../../durable/chain-state/pool/refusal-memory.ts";
import { chainStateBytes } from "../../../src/platform/memory-budget.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const refusal = (message = "no") => new RuleError({ code: "callRejected", message });
const dear = () => 50_000;

test("holds a number of refusals, the newest", () => {
  const memory = new RefusalMemory();
  const known = memory.on(new InMemoryState(), dear);
  for (let count = 0; count <= MAX_REFUSALS; count++) known.add(`likeness ${count}`, refusal(`no ${count}`));
  expect(memory.size).toBeLessThanOrEqual(MAX_REFUSALS);
  expect(known.find("likeness 0")).toBeUndefined();
  expect(known.find(`likeness ${MAX_REFUSALS}`)?.violation).toEqual(refusal(`no ${MAX_REFUSALS}`).violation);
});

test("holds a number of bytes, and no refusal that would fill it", () => {
  const memory = new RefusalMemory();
  const known = memory.on(new InMemoryState(), dear);
  for (let count = 0; count < 100; count++) known.add(`likeness ${count}`, refusal("no".repeat(4_000)));
  expect(memory.size).toBeGreaterThan(5);
  expect(memory.sizeBytes).toBeLessThanOrEqual(chainStateBytes.refusals);
  known.add("long", refusal("no".repeat(chainStateBytes.refusals)));
  expect(known.find("long")).toBeUndefined();
});

test("holds no refusal that has cost little", () => {
  const known = new RefusalMemory().on(new InMemoryState(), () => 10);
  known.add("likeness", refusal());
  expect(known.find("likeness")).toBeUndefined();
});

test("forgets with the tip", () => {
  const memory = new RefusalMemory();
  const tipOf = (id: number) => {
    const state = new InMemoryState();
    return Object.create(state, { findHeader: { value: () => ({ id: Uint8Array.of(id) }) } }) as InMemoryState;
  };
  memory.on(tipOf(1), dear).add("likeness", refusal());
  expect(memory.on(tipOf(1), dear).find("likeness")).toBeDefined();
  expect(memory.on(tipOf(2), dear).find("likeness")).toBeUndefined();
  expect(memory.on(tipOf(1), dear).find("likeness")).toBeUndefined();
});
