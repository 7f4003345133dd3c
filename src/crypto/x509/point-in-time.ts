/** Times of certificates. @source RFC 5280, 4.1.2.5; Java 17: sun.security.util.DerValue (getTimeInternal) */
import { DerError } from "../der/der-error.ts";
import { type DerValue, derTag } from "../der/platform-der.ts";

const form = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d(?:[.,]\d+)?)?(?:Z|([+-])(\d\d)(\d\d))$/;
const minuteMs = 60_000;
/** Two-digit years below this belong to this century. */
const firstYearOfLast = 50;

export function isTime({ tag }: DerValue): boolean {
  return tag === derTag.utcTime || tag === derTag.generalizedTime;
}

/** Milliseconds since 1970. Days past the end of a month count into the next. @throws DerError */
export function readTime({ tag, content }: DerValue): number {
  const text = Array.from(content, (byte) => String.fromCharCode(byte)).join("");
  const isGeneral = tag === derTag.generalizedTime;
  const century = isGeneral ? /^\d\d/.exec(text)?.[0] : undefined;
  const found = form.exec(isGeneral ? text.slice(2) : text);
  const seconds = found?.[6] ?? "00";
  if (found === null || (isGeneral && century === undefined) || (!isGeneral && seconds.length > 2)) {
    throw new DerError(`Parse ${isGeneral ? "Generalized" : "UTC"} time, invalid format`);
  }
  const [short, month, day, hour, minute] = found.slice(1, 6).map(Number) as [number, number, number, number, number];
  const second = Number(seconds.slice(0, 2));
  const year = short + 100 * (century === undefined ? (short < firstYearOfLast ? 20 : 19) : Number(century));
  const [offsetHours, offsetMinutes] = [Number(found[8] ?? 0), Number(found[9] ?? 0)];
  const isPast = month > 12 || day > 31 || hour > 23 || minute > 59 || second > 59;
  if (month === 0 || day === 0 || isPast || offsetHours > 23 || offsetMinutes > 59) {
    throw new DerError(`Parse ${isGeneral ? "Generalized" : "UTC"} time, invalid format`);
  }
  const days = daysBefore(year, month) + day - 1;
  const minutes = (days * 24 + hour) * 60 + minute;
  const timeMs = minutes * minuteMs + second * 1000 + Number(seconds.slice(3, 6).padEnd(3, "0"));
  const offsetMs = (offsetHours * 60 + offsetMinutes) * minuteMs;
  return timeMs - (found[7] === "-" ? -offsetMs : offsetMs);
}

const daysOfEra = 146_097;
const daysToEpoch = 719_468;

/** Days from 1970 to the first of the month, in the proleptic Gregorian calendar. */
function daysBefore(year: number, month: number): number {
  // Years begin in March, so that the leap day is at their end.
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * daysOfEra + dayOfEra - daysToEpoch;
}
