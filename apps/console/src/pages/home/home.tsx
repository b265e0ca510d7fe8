import { useEffect, useState } from 'preact/hooks'
import { useRead } from '../../api/query.ts'
import { Time } from '../../design/controls.tsx'
import { Bone, Empty, Failure, Loaded } from '../../design/states.tsx'
import { count } from '../../language/values.ts'
import { ApiCallMenu } from '../../shell/api-call.tsx'
import { consoleUrl } from '../../shell/navigation.ts'
import { Page } from '../../shell/page.tsx'
import { paymentTitle } from '../../shell/titles.ts'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { Day } from './day.tsx'
import { type Windows, windowsOf } from './figures.ts'
import './home.css'
import { text } from './text.ts'

/** The first page: today's figures, pending tasks, and the latest payments. */
export function Home() {
  const may = useMay()
  const windows = useWindows()
  const call = may('statistics.get') ? <ApiCallMenu operation="statistics.get" input={windows.today} /> : undefined
  return (
    <Page title={text('title')} actions={call}>
      <div class="stack">
        {call !== undefined && <Day windows={windows} />}
        <NeedsYou />
        {may('payments.list') && <Latest />}
      </div>
    </Page>
  )
}

/** How soon the page sees that another hour has begun, in milliseconds. */
const LOOK_MS = 60_000

/** The hours of today, which are more with each that begins, and of another day after midnight. */
function useWindows(): Windows {
  const [windows, setWindows] = useState(() => windowsOf(new Date()))
  useEffect(() => {
    const look = () => setWindows((shown) => (Date.now() < Date.parse(shown.today.to) ? shown : windowsOf(new Date())))
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return windows
}

/** The longest list of things that wait that is counted. */
const COUNTED = 100

function NeedsYou() {
  const may = useMay()
  const disputes = useRead('disputes.list', may('disputes.list') ? { status: 'open', limit: COUNTED } : null)
  const refunds = useRead(
    'refundRequests.list',
    may('refundRequests.list') ? { status: 'pending', limit: COUNTED } : null,
  )
  const endpoints = useRead('webhookEndpoints.list', may('webhookEndpoints.list') ? { limit: COUNTED } : null)
  const off = endpoints.data?.data.filter(({ enabled }) => !enabled).length ?? 0
  const tasks = [
    { key: 'disputes', waits: waitingIn(disputes.data), path: '/disputes?status=open' },
    { key: 'refunds', waits: waitingIn(refunds.data), path: '/refund-requests?status=pending' },
    { key: 'webhooks', waits: off, path: '/webhooks' },
  ] as const
  const waiting = tasks.filter(({ waits }) => waits !== 0)
  const reads = [disputes, refunds, endpoints]
  // Reads that the role does not allow are never loading.
  const isRead = reads.every(({ isLoading }) => !isLoading)
  const failed = reads.find(({ error }) => error !== null)
  return (
    <section class="card">
      <header>
        <h2>{text('needsYou')}</h2>
      </header>
      <ul class="inside tasks">
        {failed?.error != null && (
          <li>
            <Failure failure={failed.error} retry={() => Promise.all(reads.map(({ refetch }) => refetch()))} />
          </li>
        )}
        {waiting.map(({ key, waits, path }) => (
          <li key={key}>
            <a href={consoleUrl(path)}>{text(key, { count: waits })}</a>
          </li>
        ))}
        {waiting.length === 0 && failed === undefined && <li>{isRead ? text('nothing') : <Bone />}</li>}
      </ul>
    </section>
  )
}

/** How many entries a list has: `100+` where it goes on behind those that are counted. */
function waitingIn(list: { data: readonly unknown[]; nextCursor: string | null } | undefined): number | string {
  if (list === undefined) return 0
  return list.nextCursor === null ? list.data.length : `${count(list.data.length)}+`
}

/** How many of the latest payments are shown. */
const LATEST = 8

function Latest() {
  const read = useRead('payments.list', { limit: LATEST })
  return (
    <section class="card">
      <header>
        <h2>{text('latest')}</h2>
        <a href={consoleUrl('/payments')}>{text('all')}</a>
      </header>
      <div class="inside">
        <Loaded read={read}>
          {({ data }) =>
            data.length === 0 ? (
              <FirstSteps />
            ) : (
              <ul class="latest">
                {data.map((payment) => (
                  <li key={payment.id}>
                    <a href={consoleUrl(`/payments/${payment.id}`)}>{paymentTitle(payment)}</a>
                    <Status of={payment.status} />
                    <Time at={payment.createdAt} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
    </section>
  )
}

function FirstSteps() {
  const may = useMay()
  return (
    <Empty title={text('first')}>
      <p>{text('firstHint')}</p>
      {may('products.create') && <a href={consoleUrl('/products')}>{text('product')}</a>}
      {may('apiKeys.create') && <a href={consoleUrl('/keys')}>{text('key')}</a>}
      {may('webhookEndpoints.create') && <a href={consoleUrl('/webhooks')}>{text('webhook')}</a>}
    </Empty>
  )
}
