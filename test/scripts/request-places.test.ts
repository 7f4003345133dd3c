import { expect, test } from "vitest";
import { RequestPlaces } from "../../local/runtime/request-places.ts";

function places(most: number, ofSubscriber: number) {
  const requests = new RequestPlaces(most, ofSubscriber);
  const begun: string[] = [];
  const take = (subscriber: string, count: number) =>
    Array.from({ length: count }, (_, at) => requests.take(subscriber, () => begun.push(`${subscriber} ${at}`)));
  return { take, begun };
}

test("one subscriber has some of the places, and another one gets the rest at once", () => {
  const { take, begun } = places(4, 2);
  take("a", 10);
  take("b", 1);
  expect(begun).toEqual(["a 0", "a 1", "b 0"]);
});

test("a place that is free goes to each subscriber in turn", () => {
  const { take, begun } = places(2, 2);
  const ofA = take("a", 6);
  const ofB = take("b", 2);
  take("c", 1);
  for (const leave of [...ofA.slice(0, 3), ...ofB]) leave();
  expect(begun.slice(2)).toEqual(["a 2", "b 0", "c 0", "a 3"]);
});

test("who gives up has no place, and gives none free twice", () => {
  const { take, begun } = places(1, 1);
  const [running, given] = take("a", 3);
  given?.();
  given?.();
  running?.();
  running?.();
  take("b", 1);
  expect(begun).toEqual(["a 0", "a 2"]);
});

test("an IPv6 network around several subscribers has less than all", () => {
  const { take, begun } = places(10, 5);
  for (let at = 0; at < 12; at++) take(`32.1.13.184.0.1.0.${at}`, 1);
  expect(begun).toHaveLength(7);
  take("192.0.2.1", 1);
  expect(begun.at(-1)).toBe("192.0.2.1 0");
});
