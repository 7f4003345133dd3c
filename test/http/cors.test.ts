import { describe, expect, test } from "vitest";
import { corsHeaders, preflightResponse } from "../../src/http/cors.ts";
import { readRestSettings } from "../../src/http/rest-settings.ts";

const { cors } = readRestSettings({ NETWORK: "private" });
const from = (origin?: string) =>
  new Request("http://node.test/", { headers: origin === undefined ? {} : { Origin: origin } });

describe("cross-origin headers", () => {
  test("echo the caller's origin by default, with credentials", () => {
    expect(corsHeaders(from("http://dapp.example"), cors)).toEqual({
      "Access-Control-Allow-Origin": "http://dapp.example",
      "Access-Control-Allow-Credentials": "true",
      "Access-Control-Expose-Headers": "ETag, X-D1-Bookmark",
    });
  });

  test("say nothing to a request without an origin", () => {
    expect(corsHeaders(from(), cors)).toEqual({});
    expect(preflightResponse(from(), cors).headers.has("Access-Control-Allow-Methods")).toBe(false);
  });

  test.each(["null", "x", "about:blank", "https://dapp.example/", "http://user@dapp.example", "*", ""])(
    "say nothing to what is no origin: %j",
    (text) => {
      expect(corsHeaders(from(text), cors)).toEqual({});
      expect(preflightResponse(from(text), cors).headers.has("Access-Control-Allow-Headers")).toBe(false);
    },
  );

  test.each([
    ["https://a.example https://b.example", "https://a.example"],
    ["file://", "file://"],
    ["chrome-extension://abc", "chrome-extension://abc"],
    ["http://[::1]:3000", "http://[::1]:3000"],
  ])("name the first origin: %s", (text, origin) => {
    expect(corsHeaders(from(text), cors)["Access-Control-Allow-Origin"]).toBe(origin);
  });

  test.each(["*", "https://only.example"])("name %s where the settings do", (allowOrigin) => {
    const headers = corsHeaders(from("http://dapp.example"), { ...cors, allowOrigin });
    expect(headers["Access-Control-Allow-Origin"]).toBe(allowOrigin);
  });

  test("a preflight request is told methods and headers", async () => {
    const response = preflightResponse(from("http://dapp.example"), cors);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("OK");
    expect(response.headers.get("Access-Control-Allow-Methods")).toBe("OPTIONS, POST, PUT, GET, DELETE");
    expect(response.headers.get("Access-Control-Allow-Headers")).toBe(
      "Authorization, Content-Type, X-Requested-With, Timestamp, Signature, X-D1-Bookmark",
    );
  });
});
