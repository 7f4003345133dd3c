/** Dark or light theme: the system's, until the reader chooses one. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";

const storageKey = "explorer-theme";
const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

/** Variation selectors keep the symbols from becoming coloured emoji. */
const faces = {
  system: { symbol: "◐\ufe0e", label: "as the system has it" },
  light: { symbol: "☀\ufe0e", label: "light" },
  dark: { symbol: "☾\ufe0e", label: "dark" },
} as const satisfies Record<Theme, unknown>;

/** Applies the stored theme. */
export function wearTheme(theme: Theme = chosenTheme()): void {
  document.documentElement.dataset["theme"] = theme;
}

export function ThemeSwitch(): VNode {
  const [theme, setTheme] = useState(chosenTheme);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] as Theme;
  const change = (): void => {
    remember(next);
    wearTheme(next);
    setTheme(next);
  };
  const label = `Colours: ${faces[theme].label}. Change to: ${faces[next].label}.`;
  return (
    <button type="button" class="theme-switch" aria-label={label} title={label} onClick={change}>
      <span aria-hidden="true">{faces[theme].symbol}</span>
    </button>
  );
}

function chosenTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === stored) ?? "system";
  } catch {
    // The browser stores nothing for this page.
    return "system";
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // The theme lasts until the page is closed.
  }
}
