/** This release, as databases keep it. A test compares it with package.json. */
export const RELEASE = "0.1.0";
