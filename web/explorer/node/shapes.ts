/**
 * Responses of the node, with the members that the explorer shows. Integers are bigint.
 * @source docs/protocol/rest-api.md 3
 */
import type { ParsedJson } from "../../../src/protocol/parse-json.ts";

export interface Header {
  readonly version: bigint;
  /** Milliseconds since the epoch. */
  readonly timestamp: bigint;
  readonly reference: string;
  readonly "nxt-consensus": { readonly "base-target": bigint; readonly "generation-signature": string };
  readonly transactionsRoot?: string;
  /** Before version 5 the id is the signature. */
  readonly id?: string;
  readonly features?: readonly bigint[];
  /** Wavelets; -1: no vote. */
  readonly desiredReward?: bigint;
  readonly generator: string;
  readonly generatorPublicKey: string;
  readonly stateHash?: string;
  readonly challengedHeader?: { readonly generator: string };
  /** Voting for the block's parent. */
  readonly finalizationVoting?: FinalizationVoting;
  readonly signature: string;
  readonly blocksize: bigint;
  readonly transactionCount: bigint;
  readonly height: bigint;
  readonly totalFee: bigint;
  readonly reward: bigint;
  readonly rewardShares: Readonly<Record<string, bigint>>;
  readonly VRF?: string;
}

export interface FinalizationVoting {
  /** Indexes into the generators of the block's height. */
  readonly endorserIndexes?: readonly bigint[];
  /** Finalized height of the endorsers. */
  readonly finalizedHeight?: bigint;
  readonly conflictEndorsements?: readonly {
    readonly endorserIndex: bigint;
    readonly finalizedBlockId: string;
    readonly finalizedHeight: bigint;
  }[];
}

/** Member of the generator set of a height. */
export interface Generator {
  readonly address: string;
  readonly transactionId: string;
  /** Effective balance in wavelets; 0 when the generator may not generate. Absent for a future height. */
  readonly balance?: bigint;
  /** Height of the block that reports its conflicting endorsement. */
  readonly conflictHeight?: bigint;
}

/** Heights, both inclusive. */
export interface GenerationPeriod {
  readonly start: bigint;
  readonly end: bigint;
}

export interface Finality {
  readonly height: bigint;
  readonly finalizedHeight: bigint;
  /** Null before feature 25. */
  readonly currentGenerationPeriod: GenerationPeriod | null;
  readonly currentGenerators: readonly {
    readonly address: string;
    readonly balance: bigint | null;
    readonly conflictHeight: bigint | null;
  }[];
  readonly nextGenerationPeriod: GenerationPeriod | null;
  readonly nextGenerators: readonly { readonly address: string; readonly transactionId: string }[];
}

export interface Block extends Header {
  readonly transactions: readonly Transaction[];
}

export interface DataEntry {
  readonly key: string;
  /** Absent for a deleted entry. */
  readonly type?: "integer" | "boolean" | "binary" | "string";
  readonly value: bigint | boolean | string | null;
}

/** Asset id; null: WAVES. */
export type AssetId = string | null;

export interface Payment {
  readonly assetId: AssetId;
  readonly amount: bigint;
}

/** Argument as in transactions or in scripts, which name the types differently. */
export interface Argument {
  readonly type: string;
  readonly value: ParsedJson;
}

export interface Call {
  readonly function: string;
  readonly args: readonly Argument[];
}

export interface Lease {
  readonly id: string;
  readonly originTransactionId: string | null;
  readonly sender: string | null;
  readonly recipient: string | null;
  readonly amount: bigint | null;
  readonly height: bigint | null;
  readonly status: "active" | "canceled" | "expired";
}

export interface Invocation {
  readonly dApp: string;
  readonly call: Call;
  readonly payment: readonly Payment[];
  readonly stateChanges: StateChanges;
}

export interface StateChanges {
  readonly data: readonly DataEntry[];
  readonly transfers: readonly { readonly address: string; readonly asset: AssetId; readonly amount: bigint }[];
  readonly issues: readonly {
    readonly assetId: string;
    readonly name: string;
    readonly description: string;
    readonly quantity: bigint;
    readonly decimals: bigint;
    readonly isReissuable: boolean;
  }[];
  readonly reissues: readonly {
    readonly assetId: string;
    readonly isReissuable: boolean;
    readonly quantity: bigint;
  }[];
  readonly burns: readonly { readonly assetId: string; readonly quantity: bigint }[];
  readonly sponsorFees: readonly { readonly assetId: string; readonly minSponsoredAssetFee?: bigint | null }[];
  readonly leases: readonly Lease[];
  readonly leaseCancels: readonly Lease[];
  readonly invokes: readonly Invocation[];
  readonly error?: { readonly code: bigint; readonly text: string };
}

export interface Order {
  readonly id: string;
  readonly version: bigint;
  readonly sender: string;
  readonly assetPair: { readonly amountAsset: AssetId; readonly priceAsset: AssetId };
  readonly orderType: "buy" | "sell";
  readonly amount: bigint;
  readonly price: bigint;
  readonly matcherFee: bigint;
  readonly matcherFeeAssetId?: AssetId;
  readonly priceMode?: "fixedDecimals" | "assetDecimals" | null;
}

export interface EthereumPayload {
  readonly type?: "transfer" | "invocation";
  readonly recipient?: string;
  readonly asset?: AssetId;
  readonly amount?: bigint;
  readonly dApp?: string;
  readonly call?: Call | null;
  readonly payment?: readonly Payment[];
  readonly stateChanges?: StateChanges | null;
}

/** Members that all transactions share, and the fields of each type; `detail-rows.tsx` knows which type has which. */
export interface Transaction {
  readonly type: bigint;
  readonly id: string;
  readonly fee: bigint;
  readonly feeAssetId?: AssetId;
  readonly timestamp: bigint;
  readonly version?: bigint;
  readonly sender?: string;
  readonly senderPublicKey?: string;
  readonly proofs?: readonly string[];
  readonly applicationStatus?: "succeeded" | "script_execution_failed" | "elided";
  readonly height?: bigint;
  readonly spentComplexity?: bigint;
  readonly stateChanges?: StateChanges | null;
  readonly payload?: EthereumPayload;
  readonly recipient?: string;
  readonly amount?: bigint;
  readonly assetId?: AssetId;
  readonly attachment?: string;
  readonly name?: string;
  readonly description?: string;
  readonly quantity?: bigint;
  readonly decimals?: bigint;
  readonly reissuable?: boolean;
  readonly script?: string | null;
  readonly order1?: Order;
  readonly order2?: Order;
  readonly price?: bigint;
  readonly buyMatcherFee?: bigint;
  readonly sellMatcherFee?: bigint;
  /** Status of a lease: active or cancelled. */
  readonly status?: string;
  readonly leaseId?: string;
  readonly lease?: Lease;
  readonly alias?: string;
  readonly totalAmount?: bigint;
  readonly transferCount?: bigint;
  readonly transfers?: readonly { readonly recipient: string; readonly amount: bigint }[];
  readonly data?: readonly DataEntry[];
  readonly minSponsoredAssetFee?: bigint | null;
  readonly dApp?: string;
  readonly payment?: readonly Payment[];
  readonly call?: Call;
  readonly bytes?: string;
  readonly endorserPublicKey?: string;
  readonly generationPeriodStart?: bigint;
}

export interface AssetDetails {
  readonly assetId: string;
  readonly issueHeight: bigint;
  readonly issueTimestamp: bigint;
  readonly issuer: string;
  readonly name: string;
  readonly description: string;
  readonly decimals: bigint;
  readonly reissuable: boolean;
  readonly quantity: bigint;
  readonly scripted: boolean;
  readonly minSponsoredAssetFee?: bigint | null;
  readonly originTransactionId: string;
}

export interface BalanceDetails {
  readonly regular: bigint;
  readonly generating: bigint;
  readonly available: bigint;
  readonly effective: bigint;
}

export interface ScriptInfo {
  readonly script: string | null;
  readonly version: bigint | null;
  readonly complexity: bigint;
  readonly verifierComplexity: bigint;
  readonly callableComplexities: Readonly<Record<string, bigint>>;
  readonly extraFee: bigint;
  readonly publicKey: string | null;
}

/** Parameter of a callable function. Types are `Int`, `List[String]`, `Int|String`, …. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
}

export interface ScriptMeta {
  readonly meta?: { readonly callableFuncTypes: Readonly<Record<string, readonly Parameter[]>> };
}

/** Named value of a script; `error` when it could not be computed, `text` when only its text is known. */
export interface Variable {
  readonly name: string;
  readonly type?: string;
  readonly value?: ParsedJson;
  readonly text?: string;
  readonly error?: string;
}

/** Step of a trace: a verifier, an asset script, or a call with its nested calls. */
export interface TraceStep {
  readonly type: "verifier" | "asset" | "dApp";
  readonly id: string;
  readonly context?: string;
  readonly function?: string;
  readonly args?: readonly string[];
  readonly invocations?: readonly TraceStep[];
  readonly result: ParsedJson;
  readonly error: string | null;
  readonly vars?: readonly Variable[];
}
