/**
 * Functions that read data entries: of an account, of the script's own account, of a list by key or by index. Each has
 * a second form that throws if there is no entry.
 * @source Waves: lang/v1/evaluator/ctx/impl/waves/Functions.scala
 */
import type { ScriptDataValue } from "../evaluator/environment.ts";
import type { ScriptRecipient } from "../objects/recipients.ts";
import { recipientOf } from "../objects/recipients.ts";
import { castFailure } from "../values/class-cast.ts";
import { requiredField } from "../values/required-field.ts";
import { Text } from "../values/text.ts";
import { bytesValue, type List, MAX_VALUE_BYTES, Structure, textValue, unit, type Value } from "../values/value.ts";
import {
  type CallContext,
  type ComposedFunction,
  composed,
  type NativeFunction,
  native,
  refusal,
  type Versions,
} from "./function-definition.ts";
import { call, choose, constant, get, letIn, ref } from "./tree.ts";

const throwingSince = 3;
/** First version whose throwing forms call `value` instead of `extract`. */
const valueSince = 4;

interface DataType {
  readonly name: "getInteger" | "getBoolean" | "getBinary" | "getString";
  readonly type: "Int" | "Boolean" | "ByteVector" | "String";
  readonly fits: (value: ScriptDataValue) => boolean;
  readonly isOfType: (value: Value) => boolean;
}

const dataTypes: readonly DataType[] = [
  {
    name: "getInteger",
    type: "Int",
    fits: (value) => typeof value === "bigint",
    isOfType: (value) => typeof value === "bigint",
  },
  {
    name: "getBoolean",
    type: "Boolean",
    fits: (value) => typeof value === "boolean",
    isOfType: (value) => typeof value === "boolean",
  },
  {
    name: "getBinary",
    type: "ByteVector",
    fits: (value) => value instanceof Uint8Array,
    isOfType: (value) => value instanceof Uint8Array,
  },
  {
    name: "getString",
    type: "String",
    fits: (value) => typeof value === "string",
    isOfType: (value) => value instanceof Text,
  },
];

/** Ids of the functions that read from an account, from the own account, from a list by key. */
export const stateReaders: ReadonlySet<number> = new Set([1050, 1051, 1052, 1053]);
export const selfReaders: ReadonlySet<number> = new Set([1055, 1056, 1057, 1058]);
export const listReaders: ReadonlySet<number> = new Set([1040, 1041, 1042, 1043]);
/** Names of the functions that read from a list by index. */
export const indexReaders: ReadonlySet<string> = new Set(dataTypes.map(({ name }) => name));

/** Types of entry lists: a common entry type up to version 3, later a type for each kind of value. */
const entryLists: readonly (Versions & { readonly type: string })[] = [
  { type: "List[DataEntry]", since: 1, until: 3 },
  { type: "List[BinaryEntry|BooleanEntry|DeleteEntry|IntegerEntry|StringEntry]", since: 4 },
];

export const dataFunctions: readonly (NativeFunction | ComposedFunction)[] = dataTypes.flatMap((dataType, index) => {
  const functions = [
    fromState(1050 + index, dataType),
    fromSelf(1055 + index, dataType),
    ...entryLists.flatMap((entries) => [fromList(1040 + index, dataType, entries), byIndex(dataType, entries)]),
  ];
  return [...functions, ...functions.flatMap((definition) => throwing(definition))];
});

function fromState(id: number, dataType: DataType): NativeFunction {
  return native(id, `${dataType.name}(addressOrAlias: Address|Alias, key: String): ${dataType.type}|Unit`, {
    since: 1,
    complexity: { 1: 100, 4: 10 },
    takes: ["Object", "String"],
    usage: `${dataType.name}(s: String)`,
    evaluate: ([account, key], context) => read(recipientOf(account), key.text, dataType, context),
  });
}

function fromSelf(id: number, dataType: DataType): NativeFunction {
  const definition = native(id, `${dataType.name}(key: String): ${dataType.type}|Unit`, {
    since: 5,
    complexity: 10,
    availability: "account",
    takes: [],
  });
  return {
    ...definition,
    evaluate: (args, context) => {
      const [first, second] = args;
      const bytes = context.environment.selfAddress();
      if (args.length === 1 && first instanceof Text && bytes !== undefined) {
        return read({ kind: "address", bytes }, first.text, dataType, context);
      }
      if (args.length === 2 && first instanceof Structure && second instanceof Text) {
        return read(recipientOf(first), second.text, dataType, context);
      }
      throw refusal(args, `${dataType.name}(s: String)`);
    },
  };
}

function read(recipient: ScriptRecipient, key: string, { fits }: DataType, { environment }: CallContext): Value {
  const value = environment.findData(recipient, key);
  if (value === undefined || !fits(value)) return unit;
  if (typeof value === "string") return textValue(value);
  return value instanceof Uint8Array ? bytesValue(value) : value;
}

type EntryList = (typeof entryLists)[number];

function fromList(id: number, dataType: DataType, { type: entries, ...versions }: EntryList): NativeFunction {
  const { name, type, isOfType } = dataType;
  return native(id, `${name}(data: ${entries}, key: String): ${type}|Unit`, {
    ...versions,
    complexity: 10,
    takes: ["List", "String"],
    usage: `${name}(s: String)`,
    evaluate: ([list, key]) => {
      const entry = findEntry(list, key);
      const value = entry && requiredField(entry.fields, "value");
      return value !== undefined && isOfType(value) ? value : unit;
    },
  });
}

/** Items before the entry must be objects with a key. @throws NativeFailure */
function findEntry(list: List, key: Text): Structure | undefined {
  return list.items.find((item): item is Structure => {
    if (!(item instanceof Structure)) throw castFailure(item, "CaseObj");
    const name = requiredField(item.fields, "key");
    // A key that is too long for a value matches no entry.
    return name instanceof Text && name.text === key.text && key.sizeBytes <= MAX_VALUE_BYTES;
  }) as Structure | undefined;
}

function byIndex({ name, type }: DataType, { type: entries, ...versions }: EntryList): ComposedFunction {
  return composed(`${name}(@data: ${entries}, @index: Int): ${type}|Unit`, {
    ...versions,
    complexity: { 1: 30, 4: 4, 9: 2 },
    body: letIn(
      "@val",
      get(call(401, ref("@data"), ref("@index")), "value"),
      choose(call(1, ref("@val"), constant(type)), ref("@val"), ref("unit")),
    ),
  });
}

/** Form that throws on a unit; the error texts differ between versions up to 3 and from 4 on. */
export function throwing(definition: NativeFunction | ComposedFunction): readonly ComposedFunction[] {
  const header = definition.kind === "native" ? `Native(${definition.id})` : `User(${definition.internalName})`;
  const result = definition.result.split("|").find((type) => type !== "Unit") as string;
  const parameters = definition.parameters.replaceAll(/(^|, )(@?\w+):/g, "$1@$2:");
  const names = [...parameters.matchAll(/(?:^|, )(@+\w+):/g)].map((match) => match[1] as string);
  return [
    composed(`${definition.name}Value(${parameters}): ${result}`, {
      since: Math.max(throwingSince, definition.since),
      ...(definition.until === undefined ? {} : { until: definition.until }),
      complexity: definition.complexity,
      availability: definition.availability,
      internalName: `@extr${header}`,
      body: ({ libraryVersion }) =>
        call(
          libraryVersion >= valueSince ? "value" : "extract",
          call(definition.kind === "native" ? definition.id : definition.internalName, ...names.map(ref)),
        ),
    }),
  ];
}
