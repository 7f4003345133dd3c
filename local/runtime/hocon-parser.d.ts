/** What of the parser is used; it brings no types. */
declare module "@pushcorn/hocon-parser" {
  export type ParseData = (text: unknown, isStrict: boolean) => unknown;

  /** @param config the name of a component, or what describes one */
  export type ParseComponentConfig = (kind: string, config: unknown, context: unknown) => unknown;

  export interface HoconParser {
    (options: {
      readonly url: string;
      /** By the specification, without the parser's own additions. */
      readonly strict: true;
      readonly required: true;
      readonly builder: "config";
      /** Paths that substitutions find beside those of the file. */
      readonly scope: Readonly<Record<string, unknown>>;
    }): Promise<unknown>;
    /** Made anew for each file; what it does with words that may be numbers can be set, and which components it uses. */
    readonly Context: { parseData: ParseData; parseComponentConfig: ParseComponentConfig };
  }

  const parser: HoconParser;
  // biome-ignore lint/style/noDefaultExport: it is what the package has
  export default parser;
}
