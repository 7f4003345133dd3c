/** Responses of the reference to such bodies: the fields that it finds, and the bodies that it rejects. */
import { describe, expect, test } from "vitest";
import { multipartFields } from "../../src/http/form-fields.ts";

const type = "multipart/form-data; boundary=X";
const part = (headers: string, value: string) => `--X\r\n${headers}\r\n\r\n${value}\r\n`;
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
const end = "--X--\r\n";

describe("a multipart form", () => {
  const cases: readonly (readonly [why: string, body: string, fields: readonly (readonly [string, string])[]])[] = [
    [
      "has its fields in their order",
      field("id", "a") + field("x", "") + field("id", "b") + end,
      [
        ["id", "a"],
        ["x", ""],
        ["id", "b"],
      ],
    ],
    ["may have none", end, []],
    ["may begin and end with other text", `before\r\n${field("id", "a")}${end}behind`, [["id", "a"]]],
    ["may have lines that end with a line feed", (field("id", "a\r\nb") + end).replaceAll("\r", ""), [["id", "a\nb"]]],
    ["keeps line ends and dashes in values", field("id", "a\r\n--Y\r\n\r\n--") + end, [["id", "a\r\n--Y\r\n\r\n--"]]],
    ["has files as fields", part('Content-Disposition: form-data; name="id"; filename="f"', "a") + end, [["id", "a"]]],
    [
      "has parts with types",
      part("Content-Type: application/json\r\ncontent-disposition: attachment; name=id", "a") + end,
      [["id", "a"]],
    ],
  ];
  test.each(cases)("%s", (_, body, fields) => {
    expect(multipartFields(body, type)).toEqual(fields);
  });

  test("says its boundary with or without quotes, in small letters", () => {
    const body = (field("id", "a") + end).replaceAll("X", "--b.1");
    expect(multipartFields(body, 'multipart/form-data; boundary="--b.1"')).toEqual([["id", "a"]]);
    expect(multipartFields(body, "multipart/form-data; a=b;boundary=--b.1")).toEqual([["id", "a"]]);
    expect(multipartFields(body, "multipart/form-data; boundary=--b1")).toBeUndefined();
    expect(multipartFields(body, "multipart/form-data; Boundary=--b.1")).toBeUndefined();
    expect(multipartFields(body, "multipart/form-data")).toBeUndefined();
  });

  test.each([
    "",
    "garbage",
    "--X\r\nfoo",
    field("id", "a"),
    `--X\r\n\r\na\r\n${end}`,
    part("Content-Disposition: attachment", "a") + end,
  ])("is none: %j", (body) => {
    expect(multipartFields(body, type)).toBeUndefined();
  });
});
