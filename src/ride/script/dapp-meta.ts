/**
 * Meta of a dApp: the types of its callables' arguments, and the names that a compactor removed.
 * @source protobuf-schemas: waves/lang/dapp_meta.proto; Waves: lang/contract/meta/TypeBitMapper.scala
 */
import { type MessageOf, message, repeated, scalar } from "../../protocol/codec/protobuf.ts";

/** Scripts are hashed in their encoded form, which includes unknown fields. */
const keepUnknown = { unknown: "keep" } as const;
const callableSignature = message("CallableFuncSignature", { types: scalar(1, "bytes") }, keepUnknown);
const namePair = message(
  "CompactNameAndOriginalNamePair",
  { compactName: scalar(1, "string"), originalName: scalar(2, "string") },
  keepUnknown,
);
export const dAppMeta = message(
  "DAppMeta",
  {
    version: scalar(1, "int32"),
    functions: repeated(2, callableSignature),
    compactNames: repeated(3, namePair),
    originalNames: repeated(4, "string"),
  },
  keepUnknown,
);
export type DAppMeta = MessageOf<typeof dAppMeta>;

const typeBits = ["Int", "ByteVector", "Boolean", "String"] as const;
const listBit = 1 << typeBits.length;
const maxVersion = 2;

export interface ArgumentType {
  /** In the order of their names, as the reference prints a union. */
  readonly types: readonly (typeof typeBits)[number][];
  readonly isList: boolean;
}

/** Meta with values that its version does not allow. */
export class MetaError extends Error {
  override readonly name = "MetaError";
}

/**
 * Types of the arguments of every callable; undefined if the dApp has none.
 * @throws MetaError
 */
export function callableTypes(meta: DAppMeta): readonly (readonly ArgumentType[])[] | undefined {
  if (meta.version === 0) return undefined;
  if (meta.version < 0) throw new MetaError(`Illegal meta version ${meta.version}, expected positive value`);
  if (meta.version > maxVersion) throw new MetaError(`Unsupported meta version ${meta.version}`);
  return meta.functions.map((_, index) => callableTypesAt(meta, index));
}

/** Argument types of one callable, by its index. @throws MetaError */
export function callableTypesAt({ version, functions }: DAppMeta, index: number): readonly ArgumentType[] {
  const mayList = version > 1;
  return Array.from(functions[index]?.types ?? [], (bits) => argumentType((bits << 24) >> 24, mayList));
}

function argumentType(bits: number, mayList: boolean): ArgumentType {
  const isList = mayList && (bits >> typeBits.length) % 2 === 1;
  const union = isList ? bits ^ listBit : bits;
  if (union < 0) throw new MetaError(`Unexpected negative index=${union}`);
  const types: (typeof typeBits)[number][] = [];
  for (let index = 0; union >> index !== 0; index++) {
    if (((union >> index) & 1) === 0) continue;
    const type = typeBits[index];
    if (type === undefined) throw new MetaError(`Unexpected callable type absence for index=${index}`);
    types.push(type);
  }
  if (types.length === 0) throw new MetaError("Unexpected callable func arg type absence");
  return { types: types.sort(), isList };
}
