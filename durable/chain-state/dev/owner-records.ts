/** All stored records of a dev chain's owner. */
import { paceRecord } from "./block-controls.ts";
import { clockRecord } from "./dev-clock.ts";
import { impersonatedRecord } from "./impersonation.ts";
import type { KeptRecord, MetaRecords } from "./meta-record.ts";

const ownerRecords: readonly KeptRecord<unknown>[] = [clockRecord, paceRecord, impersonatedRecord];

/** Names of the present but invalid records. @param meta metadata of a state */
export function unreadableRecords(meta: Pick<MetaRecords, "findMeta">): readonly string[] {
  const isUnreadable = ({ name, parse }: KeptRecord<unknown>) => {
    const text = meta.findMeta(name);
    return text !== undefined && parse(text) === undefined;
  };
  return ownerRecords.filter(isUnreadable).map(({ name }) => name);
}
