/** Client types: current, and true to the responses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { paths } from "../../../client/node-api.d.ts";
import { clientTypes } from "../../../scripts/types/client-types.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { allRoutes } from "../../../src/routes/all-routes.ts";
import { describeRoutes } from "../../../src/routes/api-docs/api-docs.ts";
import { exampleResponses } from "../../../src/routes/api-docs/example-responses.ts";
import { exampleTransferId } from "../../../src/routes/transactions/example-transfer.ts";

type Json<Response> = Response extends { readonly content: { readonly "application/json": infer Value } }
  ? Value
  : never;

describe("client/node-api.d.ts", () => {
  test("is what `npm run types` writes of this document", () => {
    const stored = readFileSync(join(import.meta.dirname, "../../../client/node-api.d.ts"), "utf8");
    expect(stored).toBe(clientTypes(jsonText(describeRoutes(allRoutes, 82))));
  });

  test("tells a client what a path wants and what it answers", () => {
    type Operation = paths["/blocks/at/{height}"]["get"];
    expectTypeOf<Operation["parameters"]["path"]>().toEqualTypeOf<{ height: number }>();
    expectTypeOf<NonNullable<paths["/assets/details"]["get"]["parameters"]["query"]>>().toEqualTypeOf<{
      full?: boolean;
      id?: string[];
    }>();
    const block: Json<Operation["responses"][200]> = JSON.parse(exampleResponses["GET /blocks/at/3"] as string);
    expectTypeOf(block.transactions).items.toHaveProperty("timestamp");
    expect([block.height, block.generator, block.transactions]).toEqual([3, expect.any(String), []]);
  });

  test("has amounts as numbers or strings, and tells types of transactions apart", () => {
    const transfer: Json<paths["/transactions/unconfirmed/info/{id}"]["get"]["responses"][200]> = JSON.parse(
      exampleResponses[`GET /transactions/unconfirmed/info/${exampleTransferId}`] as string,
    );
    if (transfer.type !== 4) throw new Error("a transfer is expected");
    expectTypeOf(transfer.amount).toEqualTypeOf<number | string>();
    expect(BigInt(transfer.amount)).toBe(28n);
  });
});
