import { useLocation } from 'preact-iso'
import { Copy, Select, Time } from '../../design/controls.tsx'
import { Empty, Failure } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { Table } from '../../lists/table.tsx'
import { StoreLink } from '../../objects/names.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { storeOf, useSession } from '../../shell/session.ts'
import { useStores } from '../../shell/stores.tsx'
import '../../lists/lists.css'
import './plugins.css'
import { TakenDown } from './taken-down.tsx'
import { text } from './text.ts'
import { actorName, pluginPath, type StorePlugin, usePlugins } from './words.ts'

const columns = (): readonly Column<StorePlugin>[] => [
  { title: text('name'), cell: ({ name }) => name },
  { title: text('store'), rank: 2, cell: ({ storeId }) => <StoreLink id={storeId} /> },
  { title: text('version'), cell: ({ active }) => active?.version ?? text('notLive') },
  { title: text('where'), rank: 2, cell: (plugin) => whereOf(plugin) },
  { title: text('since'), rank: 3, cell: ({ activatedAt }) => activatedAt !== null && <Time at={activatedAt} /> },
  { title: text('by'), rank: 3, cell: ({ activatedBy }) => activatedBy !== null && actorName(activatedBy) },
]

/** List of plugins, each with its live deployment and addresses. */
export function Plugins() {
  const { query, route } = useLocation()
  const { storeId: chosen } = query
  const stores = useStores()
  const { plugins, isPartial, failure, retry } = usePlugins(chosen === undefined ? {} : { storeId: chosen })
  const isChoice = stores.length > 1 && storeOf(useSession()) === null
  return (
    <Page
      title={text('title')}
      actions={
        isChoice && (
          <Select
            label={text('store')}
            value={chosen ?? ''}
            options={[{ value: '', name: text('allStores') }, ...stores.map(({ id, name }) => ({ value: id, name }))]}
            onValue={(id) => route(id === '' ? '/console/plugins' : `/console/plugins?storeId=${id}`, true)}
          />
        )
      }
    >
      <TakenDown />
      {isPartial && <p class="remark">{text('someStores')}</p>}
      {failure !== null && <Failure failure={failure} retry={retry} />}
      {failure === null && plugins?.length === 0 && <NoPlugins />}
      {failure === null && plugins?.length !== 0 && (
        <div class="stack">
          <Table
            title={text('title')}
            columns={columns()}
            rows={plugins}
            idOf={({ storeId, pluginId }) => `${storeId} ${pluginId}`}
            pathOf={(plugin) => pluginPath(plugin)}
          />
          {plugins?.[0] !== undefined && (
            <ApiCall operation="pluginManagement.plugins" input={{ storeId: plugins[0].storeId }} />
          )}
        </div>
      )}
    </Page>
  )
}

/** Domains before the name that every deployment has. */
function whereOf({ active, routes }: StorePlugin): string {
  const [first, ...others] = routes
  if (first === undefined) return active === null ? '' : text('ownHost')
  const place = first.hostname + (first.path === '/' ? '' : first.path)
  return others.length === 0 ? place : text('andMore', { place, count: others.length })
}

function NoPlugins() {
  return (
    <Empty title={text('empty')}>
      <p>{text('emptyHint')}</p>
      <ol class="steps">
        <li>
          {text('emptyCreate')} <Copy value="npm create @tillwright/plugin my-shop" />
        </li>
        <li>
          {text('emptyDev')} <Copy value="npx tillwright dev" />
        </li>
        <li>
          {text('emptyPublish')} <Copy value="npx tillwright publish" />
        </li>
      </ol>
    </Empty>
  )
}
