// Made by test/routes/examples.test.ts, which asks a node for each example of the rows: npx vitest run -u
export const exampleAnswers: Readonly<Record<string, string>> = {};
