import type { Promotion } from '@tillwright/contract'
import { ALL_CLASSES, allowedBy, classesOf } from './stand-together.ts'

/** A member of a set as far as it decides who may stand beside it, with what belongs to it. */
interface Member<Item> {
  item: Item
  classes: number
  allowed: number
}

/**
 * Sets of promotions that stand together, such that every set that stands together lies within one of them.
 *
 * Take any such set, and the classes U that its members act on. A member that does not allow all of U must be the only
 * one that acts on what it does not allow, so it owns at least one of the three classes: there are at most three such
 * owners. All others allow the whole of U, and of those everyone fits who acts on no owned class. So it is enough to try
 * each U with each choice of owners: for n promotions less than 7 (n + 1)^3 sets, and not 2^n.
 */
export function* compatibleSets<Item>(
  items: readonly Item[],
  promotionOf: (item: Item) => Promotion,
): Generator<readonly Item[]> {
  const forced = items.filter((item) => promotionOf(item).forceCombine)
  const members = items
    .filter((item) => !promotionOf(item).forceCombine)
    .map((item) => ({
      item,
      classes: classesOf(promotionOf(item)),
      allowed: allowedBy(promotionOf(item)),
    }))
  yield forced
  for (let union = 1; union <= ALL_CLASSES; union++) {
    const within = members.filter(({ classes }) => (classes & ~union) === 0)
    const open = within.filter(({ allowed }) => (union & ~allowed) === 0)
    const closed = within.filter(({ classes, allowed }) => {
      const owned = union & ~allowed
      return owned !== 0 && (owned & ~classes) === 0
    })
    for (const owners of ownersOf(closed, union)) {
      const owned = owners.reduce((bits, { allowed }) => bits | (union & ~allowed), 0)
      const others = open.filter(({ classes }) => (classes & owned) === 0)
      if (owners.length + others.length > 0) yield [...forced, ...owners.map(itemOf), ...others.map(itemOf)]
    }
  }
}

function itemOf<Item>({ item }: Member<Item>): Item {
  return item
}

/** Every choice of members, none included, of which none acts on a class that another one owns. */
function* ownersOf<Item>(
  closed: readonly Member<Item>[],
  union: number,
  chosen: readonly Member<Item>[] = [],
): Generator<readonly Member<Item>[]> {
  yield chosen
  for (const [index, next] of closed.entries()) {
    const owned = union & ~next.allowed
    const rest = closed.slice(index + 1).filter(({ classes, allowed }) => {
      return (classes & owned) === 0 && (next.classes & union & ~allowed) === 0
    })
    yield* ownersOf(rest, union, [...chosen, next])
  }
}
