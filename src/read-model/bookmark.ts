/** Places in the course of a D1 database, as clients send them along. */

/** Carries what a client has seen of D1 from answer to request, so that it never looks back in time. */
export const bookmarkHeader = "X-D1-Bookmark";

/** Has the form of one; whether the database knows it shows when it is asked. */
export type Bookmark = string & { readonly __bookmark: true };

/** Groups of hexadecimal digits. `first-primary` is none: it would let clients say where they are answered from. */
const form = /^[0-9a-f]+(?:-[0-9a-f]+)+$/;
/** Those of Cloudflare have 59 characters. */
const MAX_LENGTH = 128;

/** @returns undefined for what cannot be one */
export function parseBookmark(text: string | null): Bookmark | undefined {
  return text !== null && text.length <= MAX_LENGTH && form.test(text) ? (text as Bookmark) : undefined;
}
