/** Values of call arguments. @source Waves: lang/v1/compiler/Terms.scala */
import type { CallArgument } from "../../protocol/transactions/transaction.ts";
import { Text } from "../values/text.ts";
import { List, type Value } from "../values/value.ts";

export function callArgumentValue(argument: CallArgument): Value {
  switch (argument.type) {
    case "string":
      return new Text(argument.value);
    case "list":
      return new List(argument.value.map(callArgumentValue));
    default:
      return argument.value;
  }
}
