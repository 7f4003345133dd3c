/** The explorer: shows the chain of the node that serves it, using only its REST interface. */
import { render } from "preact";
import { App } from "./frame/app.tsx";
import { followLinks } from "./frame/page-location.ts";
import { wearTheme } from "./frame/theme.tsx";

wearTheme();
followLinks();
const container = document.getElementById("explorer");
if (container === null) throw new Error("the page has no place for the explorer");
container.replaceChildren();
render(<App />, container);
