/** The reference compiler, translated from its Scala sources: the members that this project uses. */
declare module "@waves/ride-lang" {
  /** Complexities are integers. */
  interface CompiledScript {
    readonly result: ArrayBuffer;
    readonly complexity: number;
    /** Present for dApps. */
    readonly verifierComplexity?: number;
    readonly callableComplexities?: Readonly<Record<string, number>>;
    readonly userFunctionComplexities?: Readonly<Record<string, number>>;
    /** Objection to the script, although it was compiled. */
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
  /** Type in the compiler's documentation. */
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
    /** @param estimator 1 to 3 @param libraries sources for imports */
    compile(
      source: string,
      estimator: number,
      compacts: boolean,
      removesUnused: boolean,
      libraries: Readonly<Record<string, string>>,
    ): CompiledScript | Refusal;
    /** Compiles a script of any complexity. */
    parseAndCompile(
      source: string,
      estimator: number,
      compacts: boolean,
      removesUnused: boolean,
      libraries: Readonly<Record<string, string>>,
    ): { readonly result?: ArrayBuffer };
    scriptInfo(source: string): DirectivesFound | Refusal;
    decompile(base64: string): { readonly result: string } | Refusal;
    /**
     * Sets how many steps may come until it stops, in the middle of whatever it does. Missing from the package as it is
     * published.
     * @returns how many of those allowed before were left, 0 or less where it has stopped
     */
    allowSteps?(steps: number): number;
    /** One that has nothing half made. Missing from the package as it is published. */
    another?(): RideLang;
    getFunctionsDoc(libraryVersion: number, isAsset: boolean, isDApp: boolean): readonly DocumentedFunction[];
  }
  const rideLang: RideLang;
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default rideLang;
  export type { CompiledScript, DirectivesFound, DocumentedFunction, DocumentedType, Refusal, RideLang };
}
