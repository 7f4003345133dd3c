/** Beginning and end of an id, enough to tell ids apart. */
export function shortId(id: string, ends = 6): string {
  return id.length <= 2 * ends + 1 ? id : `${id.slice(0, ends)}…${id.slice(-ends)}`;
}
