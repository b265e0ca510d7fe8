import type { ComponentChildren } from 'preact'
import { useRead } from '../../api/query.ts'
import { Chart } from '../../design/chart.tsx'
import { Loaded } from '../../design/states.tsx'
import { count, money, percent } from '../../language/values.ts'
import { consoleUrl } from '../../shell/navigation.ts'
import { useMay } from '../../shell/session.ts'
import {
  countOf,
  inCurrency,
  mainCurrency,
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
              <Figures now={statistics} former={earlier} from={today.from} />
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

function Figures({ now, former, from }: Compared & { from: string }) {
  const main = mainCurrency(now) ?? mainCurrency(former)
  const currency = main?.currency ?? 'USD'
  const rate = (statistics: Statistics) => {
    const share = successRate(statistics)
    return share === null ? '–' : percent(share)
  }
  const volume = (statistics: Statistics) => money(total(inCurrency(statistics, currency)?.volume), currency)
  const disputes = (statistics: Statistics) =>
    count(countOf(statistics, 'chargebacks') + countOf(statistics, 'inquiries'))
  const since = `createdFrom=${encodeURIComponent(from)}`
  return (
    <dl class="figures">
      <Figure
        title={text('volume')}
        path={`/payments?status=succeeded&${since}`}
        now={volume(now)}
        former={volume(former)}
      />
      <Figure
        title={text('payments')}
        path={`/payments?${since}`}
        now={count(countOf(now, 'succeeded'))}
        former={count(countOf(former, 'succeeded'))}
      />
      <Figure
        title={text('success')}
        path={`/payments?status=declined&${since}`}
        now={rate(now)}
        former={rate(former)}
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

/** Characters of the longest figure in full size; longer ones are set smaller, so that they fit. */
const LONG = 9

interface FigureProps {
  title: string
  path: string
  now: string
  former: string
}

function Figure({ title, path, now, former }: FigureProps): ComponentChildren {
  return (
    <div class="card figure">
      <dt>{title}</dt>
      <dd>
        <a href={consoleUrl(path)} class={now.length > LONG ? 'long' : ''}>
          {now}
        </a>
        <p>{text('lastWeek', { value: former })}</p>
      </dd>
    </div>
  )
}

function Volume({ now, former }: Compared) {
  const main = mainCurrency(now) ?? mainCurrency(former)
  if (main === null) return null
  const { currency } = main
  const ofNow = running(inCurrency(now, currency)?.volume ?? now.times.map(() => 0))
  const ofFormer = running(inCurrency(former, currency)?.volume ?? former.times.map(() => 0))
  const format = (value: number) => money(Math.round(value), currency)
  const [sum = 0, before = 0] = [ofNow.at(-1), ofFormer.at(-1)]
  return (
    <section class="card">
      <header>
        <h2>{text('volumeToday')}</h2>
      </header>
      <div class="inside">
        <Chart
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
  const read = useRead('processors.get', useMay()('processors.get') ? { processorId: id } : null)
  return <a href={consoleUrl(`/processors/${id}`)}>{read.data?.name ?? id}</a>
}
