/**
 * Function table: every function of every version of the library, and the selection for one kind of script.
 * @source Waves: lang/v1/evaluator/ctx/impl/PureContext.scala, CryptoContext.scala, waves/WavesContext.scala
 */
import { accountFunctions } from "./accounts.ts";
import { actionFunctions } from "./actions.ts";
import { bigIntegerFunctions } from "./big-integers.ts";
import { byteVectorFunctions } from "./byte-vectors.ts";
import { certificateFunctions } from "./certificates.ts";
import { chainFunctions } from "./chain.ts";
import { dataFunctions } from "./data-entries.ts";
import { encodingFunctions } from "./encodings.ts";
import { isIn, type LibraryFunction } from "./function-definition.ts";
import { hashFunctions } from "./hashes.ts";
import { integerFunctions } from "./integers.ts";
import { listFunctions } from "./lists.ts";
import { merkleFunctions } from "./merkle-proofs.ts";
import { operatorFunctions } from "./operators.ts";
import { powerFunctions } from "./powers.ts";
import { signatureFunctions } from "./signatures.ts";
import { stringFunctions } from "./strings.ts";

export const functionTable: readonly LibraryFunction[] = [
  ...operatorFunctions,
  ...integerFunctions,
  ...bigIntegerFunctions,
  ...powerFunctions,
  ...stringFunctions,
  ...byteVectorFunctions,
  ...listFunctions,
  ...encodingFunctions,
  ...hashFunctions,
  ...signatureFunctions,
  ...certificateFunctions,
  ...merkleFunctions,
  ...dataFunctions,
  ...accountFunctions,
  ...chainFunctions,
  ...actionFunctions,
];

/** Kind of a script, which decides its library. */
export interface LibraryKind {
  readonly libraryVersion: number;
  readonly content: "expression" | "dApp";
  readonly guards: "account" | "asset";
}

/** Functions by id (native) or internal name (composed). */
export type Library = ReadonlyMap<number | string, LibraryFunction>;

const libraries = new Map<string, Library>();

export function libraryOf({ libraryVersion, content, guards }: LibraryKind): Library {
  const key = `${libraryVersion} ${content} ${guards}`;
  let library = libraries.get(key);
  if (library === undefined) {
    const definitions = functionTable.filter(
      (definition) =>
        isIn(definition, libraryVersion) &&
        (definition.availability === "everywhere" ||
          (definition.availability === "dApp" && content === "dApp") ||
          (definition.availability === "account" && guards === "account")),
    );
    library = new Map(
      definitions.map((definition) => [
        definition.kind === "native" ? definition.id : definition.internalName,
        definition,
      ]),
    );
    libraries.set(key, library);
  }
  return library;
}
