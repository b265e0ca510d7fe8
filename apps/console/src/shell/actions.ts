import type { OperationName } from '../api/client.ts'
import { type Find, recentFinds, searchKind, type SearchedList } from './search.ts'
import { text } from './text.ts'

/** An action that the search offers. It opens a dialog, which explains the effect first: nothing is done at once. */
interface Action {
  /** The dialog of the page, as its address asks for it: `?do=refund`. */
  asks: string
  /** Key of its name in the member's language. */
  words: Parameters<typeof text>[0]
  /** English keywords, understood in every language. */
  english: readonly string[]
  operation: OperationName
  /** Of the page, or of the pages below which each object has its own. */
  path: string
  /** Kind of its object: the prefix of ids, and the list in which it is searched. */
  to?: { prefix: string; list: SearchedList }
}

/** A search term that begins with an action. */
export interface Asked {
  action: Action
  /** The term after the action: an id or a part of a name. */
  rest: string
}

const toPayment = { path: '/payments', to: { prefix: 'pay', list: 'payments.list' } } as const
const toSubscription = { path: '/subscriptions', to: { prefix: 'sub', list: 'subscriptions.list' } } as const
const toKey = { path: '/keys', to: { prefix: 'key', list: 'apiKeys.list' } } as const
const toEndpoint = { path: '/webhooks', to: { prefix: 'whe', list: 'webhookEndpoints.list' } } as const

const actions: readonly Action[] = [
  { asks: 'refund', words: 'do.refund', english: ['refund'], operation: 'payments.refund', ...toPayment },
  { asks: 'capture', words: 'do.capture', english: ['capture'], operation: 'payments.capture', ...toPayment },
  { asks: 'void', words: 'do.void', english: ['void'], operation: 'payments.void', ...toPayment },
  { asks: 'cancel', words: 'do.cancel', english: ['cancel'], operation: 'subscriptions.cancel', ...toSubscription },
  { asks: 'pause', words: 'do.pause', english: ['pause'], operation: 'subscriptions.pause', ...toSubscription },
  { asks: 'resume', words: 'do.resume', english: ['resume'], operation: 'subscriptions.resume', ...toSubscription },
  {
    asks: 'retry',
    words: 'do.retry',
    english: ['retry the charge', 'retry'],
    operation: 'subscriptions.retry',
    ...toSubscription,
  },
  { asks: 'roll', words: 'do.roll', english: ['roll key', 'roll'], operation: 'apiKeys.roll', ...toKey },
  {
    asks: 'replay',
    words: 'do.replay',
    english: ['replay webhooks', 'replay'],
    operation: 'webhookEndpoints.replayRange',
    ...toEndpoint,
  },
  { asks: 'new', words: 'do.newProduct', english: ['new product'], operation: 'products.create', path: '/products' },
  {
    asks: 'new',
    words: 'do.newPromotion',
    english: ['new promotion'],
    operation: 'promotions.create',
    path: '/promotions',
  },
  {
    asks: 'invite',
    words: 'do.invite',
    english: ['invite a member', 'new member'],
    operation: 'members.invite',
    path: '/members',
  },
]

/** The fewest letters that stand for an action that they begin. */
const FEWEST = 3

/** The actions on the whole account whose name begins so, if the role has them. */
export function actionsNamed(typed: string, operations: readonly string[]): readonly Find[] {
  const letters = typed.trim().toLowerCase()
  if (letters.length < FEWEST) return []
  return actions
    .filter(({ to, operation }) => to === undefined && operations.includes(operation))
    .filter((action) => phrasesOf(action).some((phrase) => phrase.startsWith(letters)))
    .map(({ asks, words, path }) => ({ title: text(words), note: text('action'), path, asks }))
}

/** The action on one object that was typed, if the role has it: `refund`, `refund pay_…`, `refund ada@example.com`. */
export function askedFor(typed: string, operations: readonly string[]): Asked | null {
  const spaced = `${typed.trim()} `
  const letters = spaced.toLowerCase()
  for (const action of actions) {
    if (action.to === undefined || !operations.includes(action.operation)) continue
    const phrase = phrasesOf(action).find((each) => letters.startsWith(`${each} `))
    if (phrase !== undefined) return { action, rest: spaced.slice(phrase.length).trim() }
  }
  return null
}

/** Objects of an action that need no request: the one whose id was typed, or the member's recent finds. */
export function knownObjects({ action, rest }: Asked, memberId: string): readonly Find[] {
  const { to, path } = action
  if (to !== undefined && new RegExp(`^${to.prefix}_[0-9A-Za-z]+$`).test(rest)) {
    return [done(action, { title: rest, note: '', path: `${path}/${rest}` })]
  }
  if (rest !== '') return []
  const recent = recentFinds(memberId).filter((find) => find.path.startsWith(`${path}/`))
  return recent.map((find) => done(action, find))
}

/** Searches the objects of an action for the term after it. */
export async function searchObjects(
  { action, rest }: Asked,
  operations: readonly string[],
  signal: AbortSignal,
): Promise<readonly Find[]> {
  if (action.to === undefined) return []
  const finds = await searchKind(action.to.list, { q: rest, operations, signal })
  return finds.map((find) => done(action, find))
}

function done({ asks, words }: Action, { title, path }: Find): Find {
  return { title: `${text(words)} · ${title}`, note: text('action'), path, asks }
}

function phrasesOf({ words, english }: Action): readonly string[] {
  return [text(words).toLowerCase(), ...english]
}
