import type { Promotion } from '@tillwright/contract'
import type { Cart } from './candidates.ts'
import {
  type Benefit,
  compareBenefits,
  type Effects,
  type Impact,
  linesWorth,
  type LinesWorth,
  nothing,
  sumImpacts,
  withLines,
} from './effects.ts'

/**
 * Of all promotions that stand together, those with the greatest benefit, without any that adds nothing to it. Where
 * several sets are worth the same, the one whose first promotion ranks first has it, then the second, and so on.
 *
 * @param ranked The promotions that may apply, in the order of their rank; at most 53.
 */
export function pickSet(ranked: readonly Effects[], cart: Cart): readonly Effects[] {
  const worth = setWorth(cart)
  let best: { set: readonly Member[]; benefit: Benefit } = { set: [], benefit: nothing }
  for (const set of compatibleSets(toMembers(ranked), ({ effects }) => effects.candidate.promotion)) {
    const benefit = worth(set)
    const order = compareBenefits(benefit, best.benefit)
    if (order < 0) continue
    const needed = withoutIdle(set, benefit, worth)
    if (order > 0 || ranksBefore(needed, best.set)) best = { set: needed, benefit }
  }
  return best.set.map(({ effects }) => effects)
}

/** Drops promotions that add nothing, starting with the lowest in rank, so that no use of them is wasted. */
function withoutIdle(
  set: readonly Member[],
  benefit: Benefit,
  worth: (set: readonly Member[]) => Benefit,
): readonly Member[] {
  const sorted = set.toSorted((a, b) => a.rank - b.rank)
  return sorted.reduceRight<readonly Member[]>((kept, member) => {
    const others = kept.filter((other) => other !== member)
    return compareBenefits(worth(others), benefit) === 0 ? others : kept
  }, sorted)
}

function ranksBefore(a: readonly Member[], b: readonly Member[]): boolean {
  for (const [index, { rank }] of a.entries()) {
    const other = b[index]
    if (other === undefined) return false
    if (other.rank !== rank) return rank < other.rank
  }
  return a.length < b.length
}

/** A candidate with the properties that decide what it can be combined with. */
interface Compatible<Item> {
  item: Item
  classes: number
  allowed: number
}

/**
 * Sets of promotions that can be combined, such that every valid combination is a subset of one of them.
 *
 * Take any valid combination, and the classes U that its members act on. A member that does not allow all of U must be
 * the only one that acts on the classes it does not allow, so it owns at least one of the three classes: there are at
 * most three such owners. All others allow all of U, and any of those that act on no owned class can be included. So it
 * is enough to try each U with each choice of owners: for n promotions fewer than 7 (n + 1)^3 sets, instead of 2^n.
 */
function* compatibleSets<Item>(
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

function itemOf<Item>({ item }: Compatible<Item>): Item {
  return item
}

/** Every choice of members, none included, of which none acts on a class that another one owns. */
function* ownersOf<Item>(
  closed: readonly Compatible<Item>[],
  union: number,
  chosen: readonly Compatible<Item>[] = [],
): Generator<readonly Compatible<Item>[]> {
  yield chosen
  for (const [index, next] of closed.entries()) {
    const owned = union & ~next.allowed
    const rest = closed.slice(index + 1).filter(({ classes, allowed }) => {
      return (classes & owned) === 0 && (next.classes & union & ~allowed) === 0
    })
    yield* ownersOf(rest, union, [...chosen, next])
  }
}

/** A promotion that may be in a set. */
interface Member {
  /** Its place in the order of rank. */
  rank: number
  effects: Effects
  /** A power of two of its own if it acts on lines, else 0: the sum over a set names those who do. */
  lineKey: number
}

/** The number of powers of two whose sums a double represents exactly. */
const MEMBERS_MAX = 53

/**
 * Gives promotions their places and their keys.
 *
 * @param ranked In the order of their rank.
 * @throws {RangeError} For more than 53: an order considers fewer.
 */
function toMembers(ranked: readonly Effects[]): Member[] {
  if (ranked.length > MEMBERS_MAX) throw new RangeError(`An order can consider ${MEMBERS_MAX} promotions at most.`)
  return ranked.map((effects, rank) => ({ rank, effects, lineKey: actsOnLines(effects.impact) ? 2 ** rank : 0 }))
}

/**
 * Tells what sets of promotions are worth for one order. The lines are what takes time, and most sets differ in what
 * they do to the rest: so the lines are reckoned once for each choice of those who act on them.
 */
function setWorth(cart: Cart): (set: readonly Member[]) => Benefit {
  const known = new Map<number, LinesWorth>()
  const ofLines = (set: readonly Member[]): LinesWorth => {
    const key = set.reduce((sum, { lineKey }) => sum + lineKey, 0)
    const found = known.get(key)
    if (found !== undefined) return found
    const acting = set.filter(({ lineKey }) => lineKey > 0)
    const worth = linesWorth(sumImpacts(acting.map(impactOf), cart.lines.length), cart)
    known.set(key, worth)
    return worth
  }
  return (set) => withLines(ofLines(set), sumImpacts(set.map(impactOf), 0), cart.shippingAmount)
}

function impactOf({ effects }: Member): Impact {
  return effects.impact
}

function actsOnLines({ linePoints, lineAmounts, trialDays }: Impact): boolean {
  return [linePoints, lineAmounts, trialDays].some((lines) => lines.some((number) => number > 0))
}

/** The classes that promotions act on, as bits: sets of them are compared thousands of times per order. */
const classBits = { lineItem: 1, order: 2, shipping: 4 } as const
/** Every class. */
const ALL_CLASSES = 7

type ClassName = keyof typeof classBits

const classOfAction: Record<Promotion['actions'][number]['type'], ClassName> = {
  LineItemPercentageAdjustment: 'lineItem',
  LineItemAmountAdjustment: 'lineItem',
  CreateLineItem: 'lineItem',
  SubscriptionLineItemFreeTrial: 'lineItem',
  OrderPercentageAdjustment: 'order',
  OrderAmountAdjustment: 'order',
  ShippingAdjustment: 'shipping',
}

const flagOfClass = {
  lineItem: 'combinesWithLineItemDiscounts',
  order: 'combinesWithOrderLevelDiscounts',
  shipping: 'combinesWithShippingDiscounts',
} as const satisfies Record<ClassName, keyof Promotion>

const nameOfClass: Record<ClassName, string> = {
  lineItem: 'line item discounts',
  order: 'order discounts',
  shipping: 'shipping discounts',
}

/** The classes of a promotion's actions, as bits. */
function classesOf({ actions }: Promotion): number {
  return actions.reduce((classes, { type }) => classes | classBits[classOfAction[type]], 0)
}

/** The classes that a promotion can be combined with, as bits. */
function allowedBy(promotion: Promotion): number {
  return classNames.reduce((bits, name) => (promotion[flagOfClass[name]] ? bits | classBits[name] : bits), 0)
}

const classNames = ['lineItem', 'order', 'shipping'] as const satisfies readonly ClassName[]

/** The flag of one of two promotions that keeps them apart. */
export interface Separation {
  owner: Promotion
  flag: (typeof flagOfClass)[ClassName]
  /** The class that the flag does not allow, in words. */
  refused: string
}

/**
 * Why two promotions cannot be combined, or `null` if they can: each allows every class of the other, or either has
 * `forceCombine`.
 */
export function separation(a: Promotion, b: Promotion): Separation | null {
  if (a.forceCombine || b.forceCombine) return null
  return refusal(a, b) ?? refusal(b, a)
}

function refusal(owner: Promotion, other: Promotion): Separation | null {
  const refused = classesOf(other) & ~allowedBy(owner)
  const name = classNames.find((each) => (refused & classBits[each]) !== 0)
  return name === undefined ? null : { owner, flag: flagOfClass[name], refused: nameOfClass[name] }
}
