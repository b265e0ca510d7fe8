import { useRead } from '../../api/query.ts'
import { Time } from '../../design/controls.tsx'
import { Bone, Empty, Failure, Loaded } from '../../design/states.tsx'
import { money } from '../../language/values.ts'
import { consoleUrl } from '../../shell/navigation.ts'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { Status } from '../../shell/status.tsx'
import { Day } from './day.tsx'
import './home.css'
import { text } from './text.ts'

/** The first page: what waits for somebody, and how it goes. */
export function Home() {
  const may = useMay()
  return (
    <Page title={text('title')}>
      <div class="stack">
        {may('statistics.get') && <Day />}
        <NeedsYou />
        {may('payments.list') && <Latest />}
      </div>
    </Page>
  )
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
    { key: 'disputes', count: disputes.data?.data.length ?? 0, path: '/disputes?status=open' },
    { key: 'refunds', count: refunds.data?.data.length ?? 0, path: '/refund-requests?status=pending' },
    { key: 'webhooks', count: off, path: '/webhooks' },
  ] as const
  const waiting = tasks.filter(({ count }) => count > 0)
  const reads = [disputes, refunds, endpoints]
  // What the role may not read is never on its way.
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
        {waiting.map(({ key, count, path }) => (
          <li key={key}>
            <a href={consoleUrl(path)}>{text(key, { count })}</a>
          </li>
        ))}
        {waiting.length === 0 && failed === undefined && <li>{isRead ? text('nothing') : <Bone />}</li>}
      </ul>
    </section>
  )
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
                {data.map(({ id, amount, currency, status, createdAt }) => (
                  <li key={id}>
                    <a href={consoleUrl(`/payments/${id}`)}>{money(amount, currency)}</a>
                    <Status of={status} />
                    <Time at={createdAt} />
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
