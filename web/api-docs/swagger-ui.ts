/**
 * The parts of Swagger UI that this page uses; its own script sets a global name.
 * @source swagger-ui 5: docs/customization/plugin-api.md, docs/usage/configuration.md
 */

/** A React element; only Swagger UI's React looks into it. */
export type Element = unknown;

export type Component<Props> = (props: Props) => Element;

export interface React {
  createElement<Props>(
    component: string | Component<Props>,
    props: Props | null,
    ...children: readonly Element[]
  ): Element;
}

/** Response of an operation that was tried. */
export interface ResponseBodyProps {
  readonly content: unknown;
  readonly contentType?: string;
  readonly url?: string;
}

interface HighlightProps {
  readonly language: string;
  readonly downloadable: boolean;
  readonly fileName: string;
  readonly canCopy: boolean;
}

export interface System {
  readonly React: React;
  getComponent(name: "HighlightCode", container: true): Component<HighlightProps>;
}

export interface Plugin {
  readonly wrapComponents: {
    readonly responseBody: (original: Component<ResponseBodyProps>, system: System) => Component<ResponseBodyProps>;
  };
}

export interface Options {
  readonly spec: Record<string, unknown>;
  readonly domNode: Element;
  readonly presets: readonly unknown[];
  readonly plugins: readonly Plugin[];
  readonly layout: "BaseLayout";
  readonly deepLinking: boolean;
  readonly displayRequestDuration: boolean;
  readonly filter: boolean;
  readonly tryItOutEnabled: boolean;
  readonly defaultModelsExpandDepth: number;
  readonly docExpansion: "list" | "full" | "none";
  readonly validatorUrl: null;
  readonly onComplete: () => void;
}

declare global {
  const SwaggerUIBundle: ((options: Options) => void) & { readonly presets: { readonly apis: unknown } };
}
