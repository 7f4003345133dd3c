/** Requests drawn for the comparison with a reference node: valid, of every kind, the same for the same seed. */
import { expect, test } from "vitest";
import { acceptedForm } from "../../../src/http/accept.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import type { ChainInventory } from "../../../verification/conformance/chain-inventory.ts";
import { requestsInAllForms } from "../../../verification/conformance/request-forms.ts";

const chain: ChainInventory = {
  height: 9,
  blockIds: ["DnK5Xfi2wXUJx9BjK9X6ZpFdTLdq2GtWH9pWrcxcmrhB"],
  blockTimestamps: [1n],
  transactions: ["5BxpmGJGqH9a7bDV7dx3WPSN5ikjo8EGbsaPFPeyqjUv"],
  accounts: ["3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF"],
  assets: [],
  leases: [],
  aliases: [],
  scripts: [],
  dataKeys: [],
};
const drawn = (seed: string) => [...requestsInAllForms(chain, new SeededRandom(seed), 300)];

test("every drawn request can be sent, and each route comes up", () => {
  const requests = drawn("first");
  for (const { path, method = "GET", headers = {}, body } of requests)
    expect(
      () => new Request(`http://node.test${path}`, { method, headers, ...(body !== undefined && { body }) }),
    ).not.toThrow();
  expect(new Set(requests.map(({ route }) => route.replace(/^forms of .*/, "forms"))).size).toBe(6);
});

test("headers are drawn that ask for each form of JSON, and that shut it out", () => {
  const forms = drawn("second").flatMap(({ headers }) =>
    headers?.["Accept"] === undefined ? [] : [acceptedForm(headers["Accept"])],
  );
  expect(new Set(forms)).toEqual(new Set(["exact", "strings", undefined]));
});

test("a seed draws the same requests again, except for the times in them", () => {
  const texts = (seed: string) =>
    drawn(seed).map(({ path, headers, body }) => [path, headers, body?.replace(/\d{13}/g, "")]);
  expect(texts("third")).toEqual(texts("third"));
});
