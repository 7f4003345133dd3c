/** Release of the reference whose REST API this node has, and which it announces to peers. */
export const referenceVersion = "1.6.0";
