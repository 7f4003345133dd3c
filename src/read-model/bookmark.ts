/** Bookmarks of a D1 database, as clients send them. */

/**
 * Header that carries the last D1 bookmark from a response to the client's next request, so that the client never sees
 * an earlier state.
 */
export const bookmarkHeader = "X-D1-Bookmark";

/** Text in the form of a bookmark; only a query shows whether the database knows it. */
export type Bookmark = string & { readonly __bookmark: true };

/**
 * Groups of hexadecimal digits. `first-primary` does not match: with it a client could choose which database serves it.
 */
const form = /^[0-9a-f]+(?:-[0-9a-f]+)+$/;
/** Bookmarks of Cloudflare have 59 characters. */
const MAX_LENGTH = 128;

/** @returns undefined for a text that is not in the form of a bookmark */
export function parseBookmark(text: string | null): Bookmark | undefined {
  return text !== null && text.length <= MAX_LENGTH && form.test(text) ? (text as Bookmark) : undefined;
}
