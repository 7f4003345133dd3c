/** API docs: Swagger UI on this node's OpenAPI document, with exact integers. */
import { exactDocument } from "./exact-document.ts";
import { showNow } from "./now.ts";
import { wholeNumbers } from "./whole-numbers.ts";

function elementOf(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no part ${id}`);
  return element;
}

async function showOperations(domNode: HTMLElement): Promise<void> {
  const response = await fetch("openapi.json");
  if (!response.ok) throw new Error(`the OpenAPI document: status ${response.status}`);
  const spec = exactDocument(await response.text());
  document.title = (spec["info"] as { title: string }).title;
  SwaggerUIBundle({
    spec,
    domNode,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [wholeNumbers],
    layout: "BaseLayout",
    deepLinking: true,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: -1,
    docExpansion: "list",
    // The default validator is a remote server of the Swagger project.
    validatorUrl: null,
    onComplete: () => domNode.classList.add("shown"),
  });
}

const operations = elementOf("operations");
void showNow(elementOf("links"));
showOperations(operations).catch((error: unknown) => {
  operations.textContent = `The description of the interface cannot be shown: ${String(error)}.`;
});
