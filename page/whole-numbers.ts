import { indentJson } from "./indent-json.ts";
import type { Plugin } from "./swagger-ui.ts";

/**
 * Shows JSON answers with the digits that came. Swagger UI itself reads them into doubles and writes those: of 2^63 - 1 it
 * makes 9223372036854776000. What is sent goes out as it is typed, without any help.
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
            { language: "json", downloadable: true, fileName: `${name === "" ? "answer" : name}.json`, canCopy: true },
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
    // Swagger UI shows it, and says that it is none.
    return undefined;
  }
  return indentJson(text);
}
