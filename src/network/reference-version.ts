/** The release of the reference whose interface this node has, and which it says to be to other nodes. */
export const referenceVersion = "1.6.0";
