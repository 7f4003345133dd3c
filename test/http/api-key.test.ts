import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { secureHash } from "../../src/crypto/hash.ts";
import { apiKeyGuard } from "../../src/http/api-key.ts";

const hashOf = (key: string) => encodeBase58(secureHash(new TextEncoder().encode(key)));

describe("apiKeyGuard", () => {
  const guard = apiKeyGuard(hashOf("waves-private-node"));

  test.each(["X-API-Key", "x-api-key", "X-Api-Key", "api_key"])("takes the key in the header %s", (name) => {
    expect(guard(new Headers({ [name]: "waves-private-node" }))).toBe(true);
  });

  test("a right deprecated header makes up for a wrong one", () => {
    expect(guard(new Headers({ "X-API-Key": "wrong", api_key: "waves-private-node" }))).toBe(true);
  });

  test.each(["", "waves-private-nod", "waves-private-node ", hashOf("waves-private-node")])(
    "refuses the key %j",
    (key) => {
      // Headers are trimmed, so the trailing space has to be a character that is not.
      expect(guard(new Headers({ "X-API-Key": key.replace(" ", "_") }))).toBe(false);
    },
  );

  test("refuses a request without a key", () => {
    expect(guard(new Headers())).toBe(false);
  });

  test.each(["", "not base58 0OIl", "abc"])("with the hash %j nothing is the key", (hash) => {
    const shut = apiKeyGuard(hash);
    expect(shut(new Headers())).toBe(false);
    expect(shut(new Headers({ "X-API-Key": "" }))).toBe(false);
    expect(shut(new Headers({ "X-API-Key": "any" }))).toBe(false);
  });

  test("the sample key of old documentation is no key", () => {
    const shut = apiKeyGuard("H6nsiifwYKYEx6YzYD7woP1XCn72RVvx6tC1zjjLXqsu");
    expect(shut(new Headers({ "X-API-Key": "ridethewaves!" }))).toBe(false);
  });
});
