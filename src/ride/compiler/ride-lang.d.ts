/** The reference compiler, translated from its Scala sources: the part of it that this project calls. */
declare module "@waves/ride-lang" {
  /** Complexities are whole numbers. */
  interface CompiledScript {
    readonly result: ArrayBuffer;
    readonly complexity: number;
    /** Of dApps. */
    readonly verifierComplexity?: number;
    readonly callableComplexities?: Readonly<Record<string, number>>;
    readonly userFunctionComplexities?: Readonly<Record<string, number>>;
    /** What speaks against the script although it could be compiled. */
    readonly error?: string;
  }
  interface Refusal {
    readonly result?: undefined;
    readonly error: string;
  }
  interface DirectivesFound {
    readonly stdLibVersion: number;
    /** 1 expression, 2 dApp, 3 library. */
    readonly contentType: number;
    /** 1 account, 2 asset, 3 call. */
    readonly scriptType: number;
  }
  /** A type as the compiler documents it. */
  type DocumentedType =
    | string
    | readonly DocumentedType[]
    | { readonly typeName: string }
    | { readonly listOf: DocumentedType };
  interface DocumentedFunction {
    readonly name: string;
    readonly resultType: DocumentedType;
    readonly args: readonly { readonly name: string; readonly type: DocumentedType }[];
  }
  interface RideLang {
    /** @param estimator 1 to 3 @param libraries sources that imports may name */
    compile(
      source: string,
      estimator: number,
      compacts: boolean,
      removesUnused: boolean,
      libraries: Readonly<Record<string, string>>,
    ): CompiledScript | Refusal;
    /** Whatever the script's complexity is. */
    parseAndCompile(
      source: string,
      estimator: number,
      compacts: boolean,
      removesUnused: boolean,
      libraries: Readonly<Record<string, string>>,
    ): { readonly result?: ArrayBuffer };
    scriptInfo(source: string): DirectivesFound | Refusal;
    decompile(base64: string): { readonly result: string } | Refusal;
    getFunctionsDoc(libraryVersion: number, isAsset: boolean, isDApp: boolean): readonly DocumentedFunction[];
  }
  const rideLang: RideLang;
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default rideLang;
  export type { CompiledScript, DirectivesFound, DocumentedFunction, DocumentedType, Refusal, RideLang };
}
