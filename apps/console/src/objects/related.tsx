import type { InputOf } from '@tillwright/client'
import type { Contract } from '@tillwright/contract'
import type { ListEntry } from '../api/client.ts'
import { useRead } from '../api/query.ts'
import { Time } from '../design/controls.tsx'
import { Section } from '../design/section.tsx'
import { Loaded } from '../design/states.tsx'
import { paymentTitle } from '../shell/titles.ts'
import { useMay } from '../shell/session.ts'
import { Status } from '../shell/status.tsx'
import { text } from './text.ts'
import './objects.css'

/** One object that belongs to the page's, as a line that leads to its own page. */
export interface RelatedEntry {
  id: string
  title: string
  status?: string
  at: string
  /** Below `/console`. */
  path: string
}

/** Objects that belong to the page's. */
export function RelatedList({ entries }: { entries: readonly RelatedEntry[] }) {
  if (entries.length === 0) return <p class="hint">{text('none')}</p>
  return (
    <ul class="related">
      {entries.map(({ id, title, status, at, path }) => (
        <li key={id}>
          <a href={`/console${path}`}>{title}</a>
          {status !== undefined && <Status of={status} />}
          <Time at={at} />
        </li>
      ))}
    </ul>
  )
}

/** How many are shown; {@link ToAll} leads to the others. */
export const RELATED_SHOWN = 5

/** Leads to the list of all of which the page shows the latest, where there are more. */
export function ToAll({ of: title, path, hasMore }: { of: string; path: string; hasMore: boolean }) {
  if (!hasMore) return null
  return (
    <a href={`/console${path}`} aria-label={`${text('all')}: ${title}`}>
      {text('all')}
    </a>
  )
}

interface RelatedPaymentsProps {
  title: string
  /** Filters of `payments.list`. */
  query: InputOf<Contract['payments']['list']> & Record<string, unknown>
  /** The payment whose page it is. */
  except?: string
  /** Narrows the list further where `payments.list` has no filter for it. */
  where?: (payment: RelatedPayment) => boolean
}

type RelatedPayment = ListEntry<'payments.list'>

/** The latest payments of an order, a customer or a subscription. */
export function RelatedPayments({ title, query, except, where }: RelatedPaymentsProps) {
  const isAllowed = useMay()('payments.list')
  const read = useRead('payments.list', isAllowed ? { ...query, limit: 100 } : null)
  if (!isAllowed) return null
  const payments = (read.data?.data ?? []).filter((each) => each.id !== except && (where?.(each) ?? true))
  // The list has no filter for what `where` lets through.
  const hasMore = where === undefined && payments.length > RELATED_SHOWN
  const shown = payments.slice(0, RELATED_SHOWN).map((each) => ({
    id: each.id,
    title: paymentTitle(each),
    status: each.status,
    at: each.createdAt,
    path: `/payments/${each.id}`,
  }))
  const path = `/payments?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
  return (
    <Section title={title} actions={<ToAll of={title} path={path} hasMore={hasMore} />}>
      <Loaded read={read}>{() => <RelatedList entries={shown} />}</Loaded>
    </Section>
  )
}
