/** All that the owner of a dev chain sets and the store keeps by name. */
import { paceRecord } from "./block-controls.ts";
import { clockRecord } from "./dev-clock.ts";
import { impersonatedRecord } from "./impersonation.ts";
import type { KeptRecord, MetaRecords } from "./kept-record.ts";

const ownerRecords: readonly KeptRecord<unknown>[] = [clockRecord, paceRecord, impersonatedRecord];

/** Names of those that are there and cannot be read. @param meta what a state keeps */
export function unreadableRecords(meta: Pick<MetaRecords, "findMeta">): readonly string[] {
  const isUnreadable = ({ name, parse }: KeptRecord<unknown>) => {
    const text = meta.findMeta(name);
    return text !== undefined && parse(text) === undefined;
  };
  return ownerRecords.filter(isUnreadable).map(({ name }) => name);
}
