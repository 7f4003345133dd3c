/** Versions of blocks and micro-blocks, by what each brought: NG with votes for features, the block reward, protobuf with VRF. */
export const BlockVersion = { Genesis: 1, Plain: 2, Ng: 3, Reward: 4, Protobuf: 5 } as const;

export type BlockVersionNumber = (typeof BlockVersion)[keyof typeof BlockVersion];
