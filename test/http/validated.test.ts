/** Schema errors in the reference's terms. */
import { expect, test } from "vitest";
import * as z from "zod";
import { ApiError } from "../../src/http/api-error.ts";
import { int32, texts } from "../../src/http/schema.ts";
import { validated } from "../../src/http/validated.ts";
import { parseJson } from "../../src/protocol/parse-json.ts";

const schema = z.object({
  ids: texts("Ids."),
  height: int32().optional(),
  flag: z.boolean().optional(),
  inner: z.object({ name: z.string() }).optional(),
});

/** Errors by path. */
function complaintsOf(text: string): Readonly<Record<string, string>> {
  try {
    validated(schema, parseJson(text));
  } catch (error) {
    if (!(error instanceof ApiError) || error.details.code !== "jsonInvalid") throw error;
    return Object.fromEntries(
      Object.entries(error.details.fields).map(([path, [first]]) => [path, first?.msg.join() ?? ""]),
    );
  }
  return {};
}

test("a right value comes with its integers exact", () => {
  expect(validated(schema, parseJson('{"ids":["a"],"height":7,"more":1}'))).toEqual({ ids: ["a"], height: 7n });
});

test.each([
  ["{}", { "obj.ids": "error.path.missing" }],
  ['{"ids":null}', { "obj.ids": "error.expected.jsarray" }],
  ['{"ids":["a",1,[]]}', { "obj.ids[1]": "error.expected.jsstring", "obj.ids[2]": "error.expected.jsstring" }],
  ['{"ids":[],"height":"7"}', { "obj.height": "error.expected.jsnumber" }],
  ['{"ids":[],"height":7.5}', { "obj.height": "error.expected.int" }],
  ['{"ids":[],"flag":1}', { "obj.flag": "error.expected.jsboolean" }],
  ['{"ids":[],"inner":[]}', { "obj.inner": "error.expected.jsobject" }],
  ['{"ids":[],"inner":{}}', { "obj.inner.name": "error.path.missing" }],
  ["[]", { obj: "error.expected.jsobject" }],
] as const)("%s is complained of by path", (text, complaints) => {
  expect(complaintsOf(text)).toEqual(complaints);
});

test("a number out of range has a complaint of its own", () => {
  expect(complaintsOf('{"ids":[],"height":2147483648}')["obj.height"]).toBe("error.expected.int");
});

test("of half a million elements that are no texts the first thousand are complained of", () => {
  const paths = Object.keys(complaintsOf(`{"ids":["a"${",1".repeat(500_000)}]}`));
  expect([paths.length, paths[0], paths.at(-1)]).toEqual([1_000, "obj.ids[1]", "obj.ids[1000]"]);
});

test("a list of texts is one in the document, and as long as it may be", () => {
  const json = z.toJSONSchema(z.object({ ids: texts("Ids.") }), { io: "input", unrepresentable: "any" });
  expect(json).toMatchObject({
    properties: { ids: { type: "array", items: { type: "string" }, description: "Ids." } },
    required: ["ids"],
  });
  const many = `{"ids":[""${',""'.repeat(300_000)}]}`;
  expect(validated(schema, parseJson(many)).ids).toHaveLength(300_001);
});
