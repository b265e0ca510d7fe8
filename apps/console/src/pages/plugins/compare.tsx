import { useLocation } from 'preact-iso'
import { useRead } from '../../api/query.ts'
import { Select } from '../../design/controls.tsx'
import { Empty, Loaded } from '../../design/states.tsx'
import { shortTime } from '../../language/values.ts'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { Between, Differences } from './differences.tsx'
import { WithPlugin } from './with-plugin.tsx'
import '../../objects/objects.css'
import './plugins.css'
import { text } from './text.ts'
import { type Deployment, pluginPath, type StorePlugin } from './words.ts'

/** Two deployments of a plugin side by side: pages, files, settings and manifest. */
export function Compare() {
  return <WithPlugin>{(plugin) => <ComparePage plugin={plugin} />}</WithPlugin>
}

function ComparePage({ plugin }: { plugin: StorePlugin }) {
  const { storeId, pluginId } = plugin
  const read = useRead('pluginManagement.list', { storeId, pluginId, state: 'all', limit: 100 })
  return (
    <Page title={text('compare')} note={<a href={`/console${pluginPath(plugin)}`}>{plugin.name}</a>}>
      <Loaded read={read}>{({ data }) => <Chosen plugin={plugin} deployments={data} />}</Loaded>
    </Page>
  )
}

/** Unless the address says otherwise: what is live, and the newest. */
function Chosen({ plugin, deployments }: { plugin: StorePlugin; deployments: readonly Deployment[] }) {
  const { query, route } = useLocation()
  const [newest] = deployments
  const former = deployments.find(({ id }) => id !== newest?.id)
  const from = query['from'] ?? plugin.active?.id ?? former?.id ?? ''
  const to = query['to'] ?? (newest?.id === from ? former?.id : newest?.id) ?? ''
  const options = deployments.map(({ id, version, state, deployedAt }) => ({
    value: id,
    name: `${version} · ${shortTime(deployedAt)} · ${text(`state.${state}`)}`,
  }))
  const go = (next: { from: string; to: string }) =>
    route(`/console${pluginPath(plugin, `/compare?from=${next.from}&to=${next.to}`)}`, true)
  if (deployments.length < 2) return <Empty title={text('oneDeployment')} />
  return (
    <div class="stack">
      <div class="pair-of">
        <Select label={text('compareFrom')} value={from} options={options} onValue={(id) => go({ from: id, to })} />
        <Select label={text('compareTo')} value={to} options={options} onValue={(id) => go({ from, to: id })} />
      </div>
      <Between from={from} to={to}>
        {(difference) => <Differences of={difference} />}
      </Between>
      <ApiCall operation="pluginManagement.view" input={{ deploymentId: to }} />
    </div>
  )
}
