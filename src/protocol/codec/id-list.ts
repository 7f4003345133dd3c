/** Many ids as one byte string: a hundred thousand arrays of 32 bytes would cost several times as much to transfer. */
/** @param ids up to 255 bytes each: one byte has the length of the next id */
export function encodeIdList(ids: readonly Uint8Array[]): Uint8Array {
  const list = new Uint8Array(ids.reduce((sizeBytes, id) => sizeBytes + 1 + id.length, 0));
  let offset = 0;
  for (const id of ids) {
    list[offset] = id.length;
    list.set(id, offset + 1);
    offset += 1 + id.length;
  }
  return list;
}

/** Ids of an `encodeIdList`, in order. */
export function* decodeIdList(list: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < list.length; ) {
    const end = start + 1 + (list[start] as number);
    yield list.subarray(start + 1, end);
    start = end;
  }
}
