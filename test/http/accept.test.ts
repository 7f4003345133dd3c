import { describe, expect, test } from "vitest";
import { acceptedForm, asksForStrings } from "../../src/http/accept.ts";

describe("acceptedForm", () => {
  const cases: readonly (readonly [accept: string | null, form: "exact" | "strings" | undefined, why: string])[] = [
    [null, "exact", "no header"],
    ["", "exact", "an empty header"],
    ["*/*", "exact", "anything"],
    ["application/*", "exact", "any application type"],
    ["application/json", "exact", "JSON"],
    ["application/json;charset=utf-8", "exact", "JSON with another parameter"],
    ["text/html, application/xhtml+xml, */*;q=0.8", "exact", "a browser"],
    ["application/json;large-significand-format=string", "strings", "strings"],
    ["application/json; large-significand-format=string", "strings", "strings, with a space"],
    ["APPLICATION/JSON; Large-Significand-Format=STRING", "strings", "strings, in capitals"],
    ["application/json;large-significand-format=string,*/*", "exact", "strings and anything alike"],
    ["application/json;large-significand-format=string, application/json", "exact", "both forms alike"],
    ["application/json;large-significand-format=string,*/*;q=0.1", "strings", "strings rather than anything"],
    ["application/json;large-significand-format=number", undefined, "a form that does not exist"],
    ["text/html", undefined, "HTML alone"],
    ["text/plain;q=1, application/json;q=0", undefined, "JSON refused"],
    ["application/json;q=nonsense", undefined, "a quality that is no number"],
  ];
  test.each(cases)("%s means %s: %s", (accept, form) => {
    expect(acceptedForm(accept)).toBe(form);
  });
});

describe("asksForStrings", () => {
  test("in any range, also one that does not win", () => {
    expect(asksForStrings("application/json;large-significand-format=string,*/*")).toBe(true);
    expect(asksForStrings("*/*")).toBe(false);
    expect(asksForStrings(null)).toBe(false);
  });
});
