/** The explorer: shows the chain of the node that serves it, using only its REST interface. */
import { render } from "preact";
import { App } from "./frame/app.tsx";
import { followLinks } from "./frame/page-location.ts";
import { wearTheme } from "./frame/theme.tsx";

wearTheme();
followLinks();
const place = document.getElementById("explorer");
if (place === null) throw new Error("the page has no place for the explorer");
place.replaceChildren();
render(<App />, place);
