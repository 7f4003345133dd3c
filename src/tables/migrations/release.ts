/** This release, as stored in databases. A test compares it with package.json. */
export const RELEASE = "0.1.0";
