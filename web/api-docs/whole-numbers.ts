import { indentJson } from "./indent-json.ts";
import type { Plugin } from "./swagger-ui.ts";

/**
 * Shows JSON responses with their original digits. Swagger UI reads them into doubles and prints those: 2^63 - 1
 * becomes 9223372036854776000. Requests are sent as typed.
 */
export const wholeNumbers: Plugin = {
  wrapComponents: {
    responseBody:
      (original, { React, getComponent }) =>
      (props) => {
        const { content, contentType = "", url = "" } = props;
        const text = /json/i.test(contentType) && typeof content === "string" ? findJson(content) : undefined;
        if (text === undefined) return React.createElement(original, props);
        const name = new URL(url, location.href).pathname.split("/").at(-1) ?? "";
        return React.createElement(
          "div",
          null,
          React.createElement("h5", null, "Response body"),
          React.createElement(
            getComponent("HighlightCode", true),
            {
              language: "json",
              downloadable: true,
              fileName: `${name === "" ? "response" : name}.json`,
              canCopy: true,
            },
            text,
          ),
        );
      },
  },
};

function findJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    // Swagger UI shows it and reports invalid JSON.
    return undefined;
  }
  return indentJson(text);
}
