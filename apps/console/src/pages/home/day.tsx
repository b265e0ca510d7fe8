import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useRead } from '../../api/query.ts'
import { Chart } from '../../design/chart.tsx'
import { Loaded } from '../../design/states.tsx'
import { count, money, percent } from '../../language/values.ts'
import { consoleUrl } from '../../shell/navigation.ts'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import {
  countOf,
  currenciesOf,
  inCurrency,
  running,
  type Statistics,
  successRate,
  total,
  type Windows,
} from './figures.ts'
import { text } from './text.ts'

/** Today in numbers, each next to that of a week ago at this hour. A number links to the list behind it. */
export function Day({ windows: { today, before } }: { windows: Windows }) {
  const now = useRead('statistics.get', today)
  const former = useRead('statistics.get', before)
  return (
    <Loaded read={now} waiting={<div class="figures waiting" />}>
      {(statistics) => (
        <Loaded read={former} waiting={<div class="figures waiting" />}>
          {(earlier) => (
            <>
              <Figures now={statistics} former={earlier} />
              <Volume now={statistics} former={earlier} />
              <Processors statistics={statistics} />
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

interface Compared {
  now: Statistics
  former: Statistics
}

function Figures({ now, former }: Compared) {
  const [currency = 'USD', ...others] = currenciesOf(now, former)
  const rate = (statistics: Statistics) => {
    const share = successRate(statistics)
    return share === null ? '–' : percent(share)
  }
  const volume = (statistics: Statistics, of: string) => money(total(inCurrency(statistics, of)?.volume), of)
  const disputes = (statistics: Statistics) =>
    count(countOf(statistics, 'chargebacks') + countOf(statistics, 'inquiries'))
  // The hours are those of UTC: where midnight is at half past one, they begin before it.
  const since = `createdFrom=${encodeURIComponent(now.times[0] ?? '')}`
  // What was refunded since is in the volume, too.
  const paidIn = (of: string) => `/payments?currency=${of}&captured=true&${since}`
  return (
    <dl class="figures">
      <Figure
        title={text('volume')}
        path={paidIn(currency)}
        now={volume(now, currency)}
        former={volume(former, currency)}
        others={others
          .filter((other) => total(inCurrency(now, other)?.volume) > 0)
          .map((other) => ({ path: paidIn(other), now: volume(now, other) }))}
      />
      <Figure
        title={text('payments')}
        path={`/payments?${since}`}
        now={count(countOf(now, 'created'))}
        former={count(countOf(former, 'created'))}
      />
      <Figure
        title={text('success')}
        path={`/payments?${since}`}
        now={rate(now)}
        former={rate(former)}
        others={countOf(now, 'failed') > 0 ? UNSUCCESSFUL.map((status) => ofStatus(status, since)) : []}
      />
      <Figure title={text('disputesToday')} path={`/disputes?${since}`} now={disputes(now)} former={disputes(former)} />
      {now.webhooks !== null && (
        <Figure
          title={text('failedWebhooks')}
          path="/webhooks"
          now={count(total(now.webhooks.failedTries))}
          former={count(total(former.webhooks?.failedTries))}
        />
      )}
    </dl>
  )
}

/** What a payment that counts as failed can be. */
const UNSUCCESSFUL = ['declined', 'failed'] as const

function ofStatus(status: (typeof UNSUCCESSFUL)[number], since: string) {
  return { path: `/payments?status=${status}&${since}`, now: <Status of={status} /> }
}

interface FigureProps {
  title: string
  path: string
  now: string
  former: string
  /** The same of other currencies, which cannot be added to it, or the parts that it comes from. */
  others?: readonly { path: string; now: ComponentChildren }[]
}

function Figure({ title, path, now, former, others = [] }: FigureProps): ComponentChildren {
  return (
    <div class="card figure">
      <dt>{title}</dt>
      <dd>
        <a href={consoleUrl(path)} style={{ '--characters': now.length }}>
          {now}
        </a>
        <p>{text('lastWeek', { value: former })}</p>
        {others.length > 0 && (
          <ul>
            {others.map((other) => (
              <li key={other.path}>
                <a href={consoleUrl(other.path)}>{other.now}</a>
              </li>
            ))}
          </ul>
        )}
      </dd>
    </div>
  )
}

function Volume({ now, former }: Compared) {
  const currencies = currenciesOf(now, former)
  const [chosen, setChosen] = useState('')
  const currency = currencies.includes(chosen) ? chosen : currencies[0]
  if (currency === undefined) return null
  const ofNow = running(inCurrency(now, currency)?.volume ?? now.times.map(() => 0))
  const ofFormer = running(inCurrency(former, currency)?.volume ?? former.times.map(() => 0))
  const format = (value: number) => money(Math.round(value), currency)
  const [sum = 0, before = 0] = [ofNow.at(-1), ofFormer.at(-1)]
  return (
    <section class="card">
      <header>
        <h2>{text('volumeToday')}</h2>
        {currencies.length > 1 && (
          <select
            class="input of-currency"
            aria-label={text('currency')}
            value={currency}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          >
            {currencies.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        )}
      </header>
      <div class="inside">
        <Chart
          key={currency}
          label={`${text('volumeToday')}: ${format(sum)}. ${text('lastWeek', { value: format(before) })}`}
          times={now.times}
          lines={[
            { label: text('today'), values: ofNow },
            { label: text('weekAgo'), values: ofFormer, isFormer: true },
          ]}
          format={format}
        />
      </div>
    </section>
  )
}

function Processors({ statistics: { processors } }: { statistics: Statistics }) {
  if (processors.length === 0) return null
  return (
    <section class="card">
      <header>
        <h2>{text('processors')}</h2>
      </header>
      <ul class="inside latest">
        {processors.map(({ processorId, attempts, approved }) => (
          <li key={processorId}>
            <strong>{percent(total(approved) / Math.max(total(attempts), 1))}</strong>
            <ProcessorName id={processorId} />
            <span>{text('attempts', { count: total(attempts) })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ProcessorName({ id }: { id: string }) {
  const isAllowed = useMay()('processors.get')
  const read = useRead('processors.get', isAllowed ? { processorId: id } : null)
  if (!isAllowed) return <code>{id}</code>
  return <a href={consoleUrl(`/processors/${id}`)}>{read.data?.name ?? id}</a>
}
