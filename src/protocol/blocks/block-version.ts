/**
 * Versions of blocks and micro-blocks, named by what each introduced: NG with feature votes, the block reward, protobuf
 * with VRF.
 */
export const BlockVersion = { Genesis: 1, Plain: 2, Ng: 3, Reward: 4, Protobuf: 5 } as const;

export type BlockVersionNumber = (typeof BlockVersion)[keyof typeof BlockVersion];
