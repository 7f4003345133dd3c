/**
 * Routes about many ids at once: `GET path?id=A&id=B`, `POST path` with the form `id=A&id=B`, or with JSON
 * `{"ids": ["A", "B"]}`. Order and repetitions are kept.
 * @source spec/rest-api.md 1.8
 */
import { parseBase58 } from "../crypto/base58.ts";
import { isJsonObject } from "../protocol/parse-json.ts";
import { ApiError } from "./api-fault.ts";
import { type Mismatch, mismatch } from "./kind.ts";
import { type BodyReader, plainJson } from "./request-body.ts";
import type { RouteRequest } from "./route-request.ts";

const formType = "application/x-www-form-urlencoded";

/** @param name of the query and form parameter; the member of a JSON body has an `s` at its end */
export function textsOf(name: string): BodyReader<readonly string[]> {
  return async (request) => {
    if (request.method === "GET") return request.searchParams.getAll(name);
    if (request.method !== "POST") return mismatch;
    return request.mediaType === "application/json" ? jsonTexts(request, name) : formTexts(request, name);
  };
}

/** Values of a form's parameter; none where the body is no form. */
export async function formTextsOf(request: RouteRequest, name: string): Promise<readonly string[]> {
  const texts = request.mediaType === formType ? await formTexts(request, name) : [];
  return texts === mismatch ? [] : texts;
}

async function formTexts(request: RouteRequest, name: string): Promise<readonly string[] | Mismatch> {
  const body = await request.text();
  if (body === mismatch || body === "") return body === "" ? [] : mismatch;
  return request.mediaType === formType ? new URLSearchParams(body).getAll(name) : mismatch;
}

async function jsonTexts(request: RouteRequest, name: string): Promise<readonly string[] | Mismatch> {
  const json = await plainJson(request);
  if (json === mismatch || !isJsonObject(json)) return mismatch;
  const texts = json[`${name}s`];
  const invalid = (path: string, msg: string) =>
    new ApiError({ code: "jsonInvalid", fields: { [path]: [{ msg: [msg], args: [] }] } });
  if (texts === undefined) throw invalid(`obj.${name}s`, "error.path.missing");
  if (!Array.isArray(texts)) throw invalid(`obj.${name}s`, "error.expected.jsarray");
  const wrong = texts.findIndex((text) => typeof text !== "string");
  if (wrong !== -1) throw invalid(`obj.${name}s[${wrong}]`, "error.expected.jsstring");
  return texts as readonly string[];
}

/** @throws ApiError tooBigSequence, which names the limit */
export function expectAtMost(limit: number, list: readonly unknown[]): void {
  if (list.length > limit) throw new ApiError({ code: "tooBigSequence", limit });
}

/** The bytes of base58 texts, of whatever length. @throws ApiError idsInvalid with all that are not base58 */
export function decodeIds(texts: readonly string[]): readonly Uint8Array[] {
  const invalid: string[] = [];
  const ids = texts.map((text) => {
    const bytes = parseBase58(text);
    if (bytes instanceof Uint8Array) return bytes;
    invalid.push(text);
    return new Uint8Array(0);
  });
  if (invalid.length > 0) throw new ApiError({ code: "idsInvalid", ids: invalid });
  return ids;
}
