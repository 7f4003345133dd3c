import { describe, expect, test } from "vitest";
import { acceptedForm, requestsStrings } from "../../src/http/accept.ts";

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
    ["APPLICATION/JSON; large-significand-format=string", "strings", "a type in capitals"],
    ["application/json; Large-Significand-Format=string", undefined, "a parameter in capitals"],
    ["application/json;large-significand-format=String", undefined, "its value in capitals"],
    ['application/json;large-significand-format="string"', "strings", "a quoted value"],
    ["application/json;large-significand-format=string;charset=utf-8", "strings", "strings in a charset"],
    ["application/json;large-significand-format=string;a=b", undefined, "strings with another parameter"],
    ["application/*;large-significand-format=string", "strings", "strings of any application type"],
    ["*/*;large-significand-format=string", "strings", "strings of any type"],
    ["application/json;large-significand-format=string,*/*", "exact", "strings and anything alike"],
    ["application/json;large-significand-format=string, application/json", "exact", "both forms alike"],
    ["application/json;large-significand-format=string,*/*;q=0.1", "strings", "strings rather than anything"],
    ["application/json;q=0.9, application/json;large-significand-format=string", "strings", "strings behind JSON"],
    ["application/json;q=0.1, application/json;q=0.9", "exact", "JSON twice"],
    ["application/json;q=0.1, */*, application/json;large-significand-format=string;q=0.2", "strings", "JSON hardly"],
    ["application/json;large-significand-format=number", undefined, "a form that does not exist"],
    ["application/json;a=b", undefined, "a parameter that JSON has not"],
    ["*/*;charset=utf-8", undefined, "anything in a charset"],
    ["text/html", undefined, "HTML alone"],
    ["text/html;q=0", undefined, "not even HTML"],
    ["text/plain;q=1, application/json;q=0", undefined, "JSON refused"],
    ["application/json;q=0, */*", undefined, "anything but JSON"],
    ["application/json;q=nonsense", "exact", "a quality that is no number is none"],
    ["application/json;large-significand-format=string;q=x, application/json;q=0.9", "strings", "so is one of strings"],
    ["nonsense", "exact", "no media type at all"],
    ["text/html, nonsense", "exact", "one of them is none"],
    ["text/html,", "exact", "nothing behind a comma"],
    ["text/html;q=2", "exact", "a quality above 1"],
    ["text/html;a", "exact", "a parameter without value"],
    ["text/ html", "exact", "a space where none may be"],
    ["text /html", undefined, "a space where one may be"],
    ['text/html;a="b, c"', undefined, "a comma in quotes"],
    ["*/html", "exact", "one subtype of all types"],
    ["*;q=0", undefined, "one asterisk for anything"],
  ];
  test.each(cases)("%s means %s: %s", (accept, form) => {
    expect(acceptedForm(accept)).toBe(form);
  });
});

describe("asksForStrings", () => {
  test("in any range, also one that does not win", () => {
    expect(requestsStrings("application/json;large-significand-format=string,*/*")).toBe(true);
    expect(requestsStrings("application/json;large-significand-format=string;q=0, application/json")).toBe(true);
    expect(requestsStrings("application/json;large-significand-format=string, nonsense")).toBe(false);
    expect(requestsStrings("*/*;large-significand-format=string")).toBe(false);
    expect(requestsStrings("application/json;large-significand-format=string;charset=utf-8")).toBe(false);
    expect(requestsStrings("*/*")).toBe(false);
    expect(requestsStrings(null)).toBe(false);
  });
});
