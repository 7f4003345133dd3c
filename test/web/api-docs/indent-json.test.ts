import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indentJson } from "../../../web/api-docs/indent-json.ts";

describe("indentJson", () => {
  it("puts members and items on lines of their own, and leaves what is empty together", () => {
    expect(indentJson('{"a":[1,{"b":null}],"c":{},"d":[ ] ,"e":"x"}')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {},\n  "d": [],\n  "e": "x"\n}',
    );
    expect(indentJson(' "text" ')).toBe('"text"');
  });

  it("leaves every number as it is written", () => {
    const numbers = ["9223372036854775807", "-9223372036854775808", "1.50", "1E+20", "0.1e-7"];
    expect(indentJson(`[${numbers.join(",")}]`)).toBe(`[\n  ${numbers.join(",\n  ")}\n]`);
  });

  it("leaves strings alone, whatever marks they hold", () => {
    expect(indentJson(String.raw`{"a,{\"b\":[":"}\\"}`)).toBe(String.raw`{
  "a,{\"b\":[": "}\\"
}`);
  });

  it("writes what JSON.stringify writes, for values that a double can hold", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const compact = JSON.stringify(value);
        expect(indentJson(compact)).toBe(JSON.stringify(value, null, 2));
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
