/**
 * Fields of a form, URL-encoded or multipart, in their order.
 * @source akka-http: FormFieldDirectives.scala, BodyPartParser.scala
 */

/** One field: its name and its value. */
export type Field = readonly [name: string, value: string];

const lineEnd = "\\r?\\n";
const boundaryPattern = /;[ \t]*boundary=(?:"([^"]+)"|([^\s;"]+))/;
const namePattern = /;[ \t]*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/;
const dispositionPattern = /^content-disposition[ \t]*:/i;

/** Fields of `application/x-www-form-urlencoded`. */
export function urlEncodedFields(body: string): readonly Field[] {
  return [...new URLSearchParams(body)];
}

/**
 * Fields of `multipart/form-data`, including files.
 * @param contentType header with the boundary
 * @returns undefined for an invalid body
 */
export function multipartFields(body: string, contentType: string): readonly Field[] | undefined {
  const [, quoted, plain] = boundaryPattern.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const delimiter = new RegExp(`(?:^|${lineEnd})--${escaped(boundary)}(--)?[ \\t]*(?=${lineEnd}|$)`, "g");
  const fields: Field[] = [];
  let partStart: number | undefined;
  for (const { index, 0: text, 1: closing } of body.matchAll(delimiter)) {
    const field = partStart === undefined ? undefined : fieldOf(body.slice(partStart, index));
    if (partStart !== undefined && field === undefined) return undefined;
    if (field !== undefined) fields.push(field);
    if (closing !== undefined) return fields;
    partStart = index + text.length;
  }
  return undefined;
}

/** Escapes a text for use in a pattern. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** @param part text after the delimiter line: headers, an empty line, the value */
function fieldOf(part: string): Field | undefined {
  const [, head, value] = new RegExp(`^((?:${lineEnd}[^\\r\\n]+)*)${lineEnd}${lineEnd}([^]*)$`).exec(part) ?? [];
  const disposition = head?.split(/\r?\n/).find((line) => dispositionPattern.test(line));
  const [, quoted, plain] = namePattern.exec(disposition ?? "") ?? [];
  const name = quoted?.replace(/\\(.)/g, "$1") ?? plain;
  return name === undefined || value === undefined ? undefined : [name, value];
}
