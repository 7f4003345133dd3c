/** Types of the used parts of the parser, which has none of its own. */
declare module "@pushcorn/hocon-parser" {
  export type ParseData = (text: unknown, isStrict: boolean) => unknown;

  /** @param config name or description of a component */
  export type ParseComponentConfig = (kind: string, config: unknown, context: unknown) => unknown;

  export interface HoconParser {
    (options: {
      readonly url: string;
      /** Follows the specification, without the parser's own additions. */
      readonly strict: true;
      readonly required: true;
      readonly builder: "config";
      /** Paths that substitutions can use besides those of the file. */
      readonly scope: Readonly<Record<string, unknown>>;
    }): Promise<unknown>;
    /** Created for each file; its handling of words that may be numbers and its components can be replaced. */
    readonly Context: { parseData: ParseData; parseComponentConfig: ParseComponentConfig };
  }

  const parser: HoconParser;
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default parser;
}
