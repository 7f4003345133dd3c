/** The page of the interface: Swagger UI on this node's own description, with whole numbers. */
import { exactDocument } from "./exact-document.ts";
import { showNow } from "./now.ts";
import { wholeNumbers } from "./whole-numbers.ts";

function part(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no part ${id}`);
  return element;
}

async function showOperations(domNode: HTMLElement): Promise<void> {
  const response = await fetch("openapi.json");
  if (!response.ok) throw new Error(`the description was answered with status ${response.status}`);
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
    // The project's own one is a server elsewhere.
    validatorUrl: null,
    onComplete: () => domNode.classList.add("shown"),
  });
}

const operations = part("operations");
void showNow(part("links"));
showOperations(operations).catch((error: unknown) => {
  operations.textContent = `The description of the interface cannot be shown: ${String(error)}.`;
});
