/**
 * Routes for many ids at once: `GET path?id=A&id=B`, `POST path` with the form `id=A&id=B` in either encoding, or with
 * JSON `{"ids": ["A", "B"]}`. Order and repetitions are preserved.
 * @source docs/protocol/rest-api.md 1.8
 */
import * as z from "zod";
import { parseBase58 } from "../crypto/base58.ts";
import { ApiError } from "./api-error.ts";
import { type Field, multipartFields, urlEncodedFields } from "./form-fields.ts";
import { type Mismatch, mismatch } from "./kind.ts";
import { repeated } from "./query.ts";
import { type BodyReader, formType, jsonType, multipartType, plainObject } from "./request-body.ts";
import type { RouteRequest } from "./route-request.ts";
import { once, texts } from "./schema.ts";
import { text } from "./value-kinds.ts";

/**
 * @param name name of the query and form parameter; the member of a JSON body has an `s` appended
 * @param about description of the texts, for the document
 */
export function textsOf(name: string, about: string): BodyReader<readonly string[]> {
  const member = `${name}s`;
  const json = plainObject(once(() => z.object({ [member]: texts(about) })));
  return {
    read: async (request) => {
      if (request.method === "GET") return request.searchParams.getAll(name);
      if (request.method !== "POST") return mismatch;
      if (request.mediaType !== jsonType) return formTexts(request, name);
      const body = await json.read(request);
      // The reference fails on such a body.
      if (request.isTooLarge) throw new ApiError({ code: "tooBigSequence", limit: undefined });
      return body === mismatch ? mismatch : (body[member] as readonly string[]);
    },
    content: { ...json.content, [formType]: () => z.object({ [name]: texts(about) }) },
    errors: [...json.errors, "tooBigSequence"],
    isOptional: true,
    query: { GET: { [name]: repeated(text, about) } },
  };
}

/** Values of a form's parameter; none if the body is not a form. */
export async function formTextsOf(request: RouteRequest, name: string): Promise<readonly string[]> {
  const isForm = request.mediaType === formType || request.mediaType === multipartType;
  const texts = isForm ? await formTexts(request, name) : [];
  return texts === mismatch ? [] : texts;
}

async function formTexts(request: RouteRequest, name: string): Promise<readonly string[] | Mismatch> {
  const body = await request.text();
  if (body === mismatch) return mismatch;
  const fields = fieldsOf(body, request);
  return fields === undefined ? mismatch : fields.filter(([field]) => field === name).map(([, value]) => value);
}

function fieldsOf(body: string, { mediaType, headers }: RouteRequest): readonly Field[] | undefined {
  if (mediaType === multipartType) return multipartFields(body, headers.get("Content-Type") ?? "");
  if (body === "") return [];
  return mediaType === formType ? urlEncodedFields(body) : undefined;
}

/** @throws ApiError tooBigSequence, with the limit */
export function assertAtMost(limit: number, list: readonly unknown[]): void {
  if (list.length > limit) throw new ApiError({ code: "tooBigSequence", limit });
}

/** Bytes of base58 texts of any length. @throws ApiError idsInvalid with all invalid texts */
export function decodeIds(texts: readonly string[]): readonly Uint8Array[] {
  const invalid: string[] = [];
  const ids = texts.map((text_) => {
    const bytes = parseBase58(text_);
    if (bytes instanceof Uint8Array) return bytes;
    invalid.push(text_);
    return new Uint8Array(0);
  });
  if (invalid.length > 0) throw new ApiError({ code: "idsInvalid", ids: invalid });
  return ids;
}
