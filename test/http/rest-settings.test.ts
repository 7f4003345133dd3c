/** Sources of the REST interface's settings, and errors for wrong ones. */
import { describe, expect, test } from "vitest";
import { type RestBindings, readRestSettings } from "../../src/http/rest-settings.ts";
import { NetworkSettingsError } from "../../src/network/settings-error.ts";

const file = (group: unknown) => JSON.stringify({ waves: { "rest-api": group } });
const cors = (settings: unknown) => ({ "cors-headers": settings });

function refusal(bindings: RestBindings): string {
  try {
    readRestSettings(bindings);
  } catch (error) {
    expect(error).toBeInstanceOf(NetworkSettingsError);
    return (error as NetworkSettingsError).message;
  }
  throw new Error("the settings were accepted");
}

describe("settings of the REST interface", () => {
  const reference = readRestSettings({ NETWORK: "mainnet" });

  test("are the reference's where nothing else is said", () => {
    expect(reference).toMatchObject({ transactionsLimit: 1000, snapshotsLimit: 100, evaluationComplexity: 52_000 });
    expect(reference.cors.allowOrigin).toBe("origin-from-request");
    expect(readRestSettings({ NETWORK: "mainnet", REST_API: "" })).toEqual(reference);
    expect(readRestSettings({ NETWORK: "{}", REST_API: "{}" })).toEqual(reference);
  });

  test("come from the variable, then from the file, member by member", () => {
    const NETWORK = file({
      "asset-details-limit": 7,
      "blocks-request-limit": "8",
      ...cors({ "access-control-allow-origin": "*", "access-control-allow-credentials": "no" }),
    });
    const REST_API = { "asset-details-limit": 9, ...cors({ "access-control-allow-origin": "https://dapp.example" }) };
    const expected = {
      ...reference,
      assetsLimit: 9,
      blocksLimit: 8,
      cors: { ...reference.cors, allowOrigin: "https://dapp.example", allowCredentials: false },
    };
    expect(readRestSettings({ NETWORK, REST_API })).toEqual(expected);
    expect(readRestSettings({ NETWORK, REST_API: JSON.stringify(REST_API) })).toEqual(expected);
  });

  test.each<[unknown, string]>([
    ["{", "Setting REST_API is not JSON"],
    ["7", "Setting REST_API is 7, expected an object"],
    [{ "asset-details-limit": -1 }, "Setting REST_API.asset-details-limit is -1, expected an integer from 1"],
    [{ cors: {} }, "Setting REST_API.cors is not known, expected one of transactions-by-address-limit"],
    [{ "api-key-hash": "secret" }, "Setting REST_API.api-key-hash is not known"],
    [
      cors({ "access-control-allow-origins": "*" }),
      "Setting REST_API.cors-headers.access-control-allow-origins is not known",
    ],
    [
      cors({ "access-control-allow-origin": "dapp.example" }),
      'Setting REST_API.cors-headers.access-control-allow-origin is "dapp.example", expected "origin-from-request"',
    ],
    [cors({ "access-control-allow-origin": "https://dapp.example/" }), "expected"],
    [cors({ "access-control-allow-origin": "https://a\nb" }), "expected"],
    [cors({ "access-control-allow-headers": ["X-A", "X B"] }), "access-control-allow-headers.1 is"],
    [cors({ "access-control-allow-methods": "GET" }), "expected a list: names of methods"],
  ])("%j is refused with one sentence", (REST_API, sentence) => {
    const said = refusal({ NETWORK: "private", REST_API });
    expect(said).toContain(sentence);
    expect(said).not.toContain("secret");
    expect(said.trim().split("\n")).toHaveLength(1);
  });

  test("of a file are named as they stand in the file", () => {
    expect(refusal({ NETWORK: file(cors({ "access-control-allow-credentials": 2 })) })).toBe(
      "Setting waves.rest-api.cors-headers.access-control-allow-credentials is 2, expected true or false.",
    );
  });
});
