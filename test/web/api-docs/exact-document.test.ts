import { describe, expect, it } from "vitest";
import { exactDocument } from "../../../web/api-docs/exact-document.ts";

const largest = "9223372036854775807";

describe("exactDocument", () => {
  it("makes texts of examples that a double cannot hold, with all their digits", () => {
    const document = exactDocument(`{"exact":{"example":{"amount":${largest}}},"small":{"example":{"amount":7}}}`);
    expect(document).toEqual({
      exact: { example: `{\n  "amount": ${largest}\n}` },
      small: { example: { amount: 7 } },
    });
  });

  it("makes a text of a single number, too, and of default values", () => {
    expect(exactDocument(`{"example":${largest},"default":${largest}}`)).toEqual({
      example: largest,
      default: largest,
    });
  });

  it("leaves out bounds that a double cannot hold, and keeps the others", () => {
    const schema = `{"type":"integer","format":"int64","minimum":0,"maximum":${largest}}`;
    expect(exactDocument(schema)).toEqual({ type: "integer", format: "int64", minimum: 0 });
  });

  it("keeps numbers with a point, lists, words and nulls", () => {
    expect(exactDocument('{"a":[1.5,true,null,"x",[]]}')).toEqual({ a: [1.5, true, null, "x", []] });
  });
});
