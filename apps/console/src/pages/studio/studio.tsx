import type { Contract, ResponseOf } from '@tillwright/contract'
import { useLocation, useRoute } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { useRead, useReads } from '../../api/query.ts'
import { Select } from '../../design/controls.tsx'
import { Bone, Empty, Loaded } from '../../design/states.tsx'
import { objectIn } from '../../forms/schema/index.ts'
import { StoreLink } from '../../objects/names.tsx'
import { Page } from '../../shell/page.tsx'
import { useSession } from '../../shell/session.ts'
import { Editor, type StudioDeployment } from './editor.tsx'
import type { ManifestSettings } from './editing.ts'
import type { PluginPage } from './preview-session.ts'
import './studio.css'
import { text } from './text.ts'

type Listed = ResponseOf<Contract['pluginManagement']['list']>['data'][number] & { storeId: string }

/** The settings of a plugin in a store: a form next to the page that it changes. */
export function Studio() {
  const { pluginId = '' } = useRoute().params
  const { query, route, path } = useLocation()
  useDocumentOfItsOwn()
  const storesRead = useRead('stores.list', { limit: 100 })
  const stores = storesRead.data?.data ?? []
  const read = useReads(
    'pluginManagement.list',
    stores.map(({ id }) => ({ storeId: id, pluginId })),
  )
  const all = (read.data ?? []).flatMap(({ data }, index) =>
    data.map((each) => ({ ...each, storeId: stores[index]?.id ?? '' })),
  )
  const chosen = all.find(({ id }) => id === query['deploymentId']) ?? preferred(all, query['storeId'])
  if (chosen === undefined && (read.data !== undefined || storesRead.data?.data.length === 0)) {
    return (
      <Page title={text('title')}>
        <Empty title={text('noDeployment')}>
          <p>{text('noDeploymentHint')}</p>
        </Empty>
      </Page>
    )
  }
  const failure = read.error ?? storesRead.error
  return (
    <Page
      title={chosen === undefined ? text('title') : text('titleOf', { plugin: chosen.plugin.name })}
      note={chosen === undefined ? failure === null && <Bone /> : <Place of={chosen} />}
      actions={
        all.length > 1 &&
        chosen !== undefined && (
          <Select
            label={text('deployment')}
            value={chosen.id}
            options={all.map((each) => ({ value: each.id, name: nameOf(each, stores) }))}
            onValue={(id) => route(`${path}?deploymentId=${id}`)}
          />
        )
      }
    >
      <Loaded read={storesRead} waiting={<Waiting />}>
        {() => (
          <Loaded read={read} waiting={<Waiting />}>
            {() => chosen !== undefined && <DeploymentSettings key={chosen.id} deployment={chosen} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

/** The plugin and deployment that these settings belong to, as a link back. */
function Place({ of: { pluginId, storeId, plugin } }: { of: Listed }) {
  const address = `/console/plugins/${encodeURIComponent(pluginId)}?storeId=${encodeURIComponent(storeId)}`
  return (
    <>
      <a href={address}>{plugin.name}</a> · <StoreLink id={storeId} />
    </>
  )
}

/** The form and the page before they are there. */
function Waiting() {
  return (
    <div class="studio shows-form" aria-busy="true">
      <div class="card form-side" />
      <div class="card page-side" />
    </div>
  )
}

/** The deployment that buyers see, of the named store if there is one. */
function preferred(all: readonly Listed[], storeId: string | undefined): Listed | undefined {
  const inStore = all.filter((each) => storeId === undefined || each.storeId === storeId)
  return inStore.find(({ active }) => active) ?? inStore[0]
}

function nameOf({ version, active, storeId }: Listed, stores: readonly { id: string; name: string }[]): string {
  const store = stores.find(({ id }) => id === storeId)?.name ?? storeId
  return text(active ? 'deploymentLive' : 'deploymentIdle', { version, store })
}

/**
 * Frames of plugins' pages are allowed in the document of this address alone. A member who comes here from another
 * page of the console still has the document of that one, so the page is reloaded.
 */
function useDocumentOfItsOwn(): void {
  useEffect(() => {
    const [navigation] = performance.getEntriesByType('navigation')
    if (navigation === undefined || new URL(navigation.name).pathname === location.pathname) return
    location.reload()
  }, [])
}

function DeploymentSettings({ deployment }: { deployment: StudioDeployment }) {
  const { member } = useSession()
  const deploymentId = deployment.id
  const view = useRead('pluginManagement.view', { deploymentId })
  const settings = useRead('pluginManagement.settings', { deploymentId })
  return (
    <Loaded read={view} waiting={<Waiting />}>
      {({ manifest }) => (
        <Loaded read={settings} waiting={<Waiting />}>
          {(live) => (
            <Editor
              deployment={deployment}
              live={live}
              manifest={settingsIn(manifest)}
              pages={pagesIn(manifest)}
              draftKey={`tillwright.studio.${member.id}.${deploymentId}`}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

function settingsIn({ config, defaultPreset }: Readonly<Record<string, unknown>>): ManifestSettings {
  return { config, defaultPreset }
}

/** The pages of a manifest, which has any shape. */
function pagesIn({ pages }: Readonly<Record<string, unknown>>): readonly PluginPage[] {
  const listed = Array.isArray(pages) ? pages.map(objectIn) : []
  return listed.flatMap(({ id, path, name }) =>
    typeof id === 'string' && typeof path === 'string'
      ? [{ id, path, name: typeof name === 'string' ? name : id }]
      : [],
  )
}
