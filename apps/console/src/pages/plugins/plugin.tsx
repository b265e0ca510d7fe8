import { useLocation } from 'preact-iso'
import { useRead } from '../../api/query.ts'
import { Copy, Select, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Bone } from '../../design/states.tsx'
import { StoreLink } from '../../objects/names.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay } from '../../shell/session.ts'
import { useStores } from '../../shell/stores.tsx'
import { Aliases } from './aliases.tsx'
import { Deployments } from './deployments.tsx'
import { Domains } from './domains.tsx'
import { Outside } from './outside.tsx'
import { Picture, picturesOf } from './picture.tsx'
import '../../objects/objects.css'
import './plugins.css'
import { RollBackButton } from './switch.tsx'
import { TakenDown } from './taken-down.tsx'
import { text } from './text.ts'
import { actorName, pagesOf, pluginPath, routeUrl, sizeOf, sourceOf, type StorePlugin } from './words.ts'
import { WithPlugin } from './with-plugin.tsx'

/** One plugin in a store: what is live of it, its deployments, domains and aliases. */
export function Plugin() {
  return <WithPlugin>{(plugin, all) => <PluginPage plugin={plugin} all={all} />}</WithPlugin>
}

function PluginPage({ plugin, all }: { plugin: StorePlugin; all: readonly StorePlugin[] }) {
  const may = useMay()
  const { pluginId, storeId, name, active } = plugin
  return (
    <Page
      title={name}
      note={
        <>
          <StoreLink id={storeId} /> · <Copy value={pluginId} />
        </>
      }
      actions={
        <>
          {all.length > 1 && <StoreSwitch plugin={plugin} all={all} />}
          {may('pluginManagement.rollback') && active !== null && <RollBackButton plugin={plugin} />}
          {may('pluginManagement.settings') && active !== null && (
            <a class="button" href={`/console${pluginPath(plugin, '/settings')}`}>
              {text('settings')}
            </a>
          )}
        </>
      }
    >
      <TakenDown plugin={plugin} />
      <div class="columns">
        <div class="stack">
          <Live plugin={plugin} />
          <Deployments plugin={plugin} />
          <ApiCall operation="pluginManagement.plugins" input={{ storeId, pluginId }} />
        </div>
        <div class="stack">
          <Domains plugin={plugin} />
          {may('pluginManagement.aliases') && <Aliases plugin={plugin} />}
        </div>
      </div>
    </Page>
  )
}

function StoreSwitch({ plugin, all }: { plugin: StorePlugin; all: readonly StorePlugin[] }) {
  const { route } = useLocation()
  const stores = useStores()
  const nameOf = (id: string) => stores.find((each) => each.id === id)?.name ?? id
  return (
    <Select
      label={text('store')}
      value={plugin.storeId}
      options={all.map(({ storeId }) => ({ value: storeId, name: nameOf(storeId) }))}
      onValue={(storeId) => route(`/console${pluginPath({ ...plugin, storeId })}`)}
    />
  )
}

/** The live deployment, and the addresses at which visitors see it. */
function Live({ plugin }: { plugin: StorePlugin }) {
  const { active, activatedAt, activatedBy, routes } = plugin
  const { data: view } = useRead('pluginManagement.view', active === null ? null : { deploymentId: active.id })
  if (active === null) {
    return (
      <Section title={text('live')}>
        <p class="hint">{text('notLiveHint')}</p>
      </Section>
    )
  }
  const [picture] = view === undefined ? [] : picturesOf(view)
  const addresses = routes.length === 0 ? [active.url] : routes.map((each) => routeUrl(each, active))
  const source = view === undefined ? [] : sourceOf(view)
  return (
    <Section title={text('live')}>
      <div class={picture === undefined ? '' : 'live'}>
        {picture !== undefined && <Picture of={picture} deploymentId={active.id} />}
        <Facts
          of={[
            [text('address'), addresses.map((url) => <Outside key={url} to={url} />)],
            [
              text('version'),
              <a key="version" href={`/console${pluginPath(plugin, `/deployments/${active.id}`)}`}>
                {active.version}
              </a>,
            ],
            [text('since'), activatedAt === null ? null : <Time key="since" at={activatedAt} />],
            [text('by'), activatedBy === null ? null : actorName(activatedBy)],
            [
              text('pages'),
              view === undefined ? (
                <Bone key="pages" />
              ) : (
                <bdi key="pages" dir="ltr">
                  {pagesOf(view)
                    .map(({ path }) => path)
                    .join(', ')}
                </bdi>
              ),
            ],
            [text('size'), sizeOf(active.size)],
            [text('source'), source.length === 0 ? null : source.join(' · ')],
          ]}
        />
      </div>
    </Section>
  )
}
