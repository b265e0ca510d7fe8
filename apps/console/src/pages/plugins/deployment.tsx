import { useRoute } from 'preact-iso'
import { useRead } from '../../api/query.ts'
import { Badge, Copy, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { Loaded } from '../../design/states.tsx'
import { count } from '../../language/values.ts'
import type { Column } from '../../lists/columns.tsx'
import { Table } from '../../lists/table.tsx'
import { ApiCall } from '../../shell/api-call.tsx'
import { Page } from '../../shell/page.tsx'
import '../../lists/lists.css'
import { Actions } from './deployments.tsx'
import { Picture, picturesOf } from './picture.tsx'
import { Outside } from './outside.tsx'
import { WithPlugin } from './with-plugin.tsx'
import '../../objects/objects.css'
import './plugins.css'
import { text } from './text.ts'
import {
  actorName,
  type DeploymentView,
  pagesOf,
  pageUrl,
  pluginPath,
  sizeOf,
  sourceOf,
  type StorePlugin,
  toneOf,
} from './words.ts'

/** One deployment: its pages with their pictures, its files, and what leads to it. */
export function Deployment() {
  const { deploymentId = '' } = useRoute().params
  const read = useRead('pluginManagement.view', { deploymentId })
  return (
    <WithPlugin>
      {(plugin) =>
        read.data === undefined ? (
          <Page title={plugin.name}>
            <Loaded read={read}>{() => null}</Loaded>
          </Page>
        ) : (
          <DeploymentPage plugin={plugin} view={read.data} />
        )
      }
    </WithPlugin>
  )
}

function DeploymentPage({ plugin, view }: { plugin: StorePlugin; view: DeploymentView }) {
  const { deployment } = view
  const { id, version, state } = deployment
  return (
    <Page
      title={`${plugin.name} ${version}`}
      note={
        <>
          <Badge tone={toneOf[state]}>{text(`state.${state}`)}</Badge>{' '}
          <a href={`/console${pluginPath(plugin)}`}>{plugin.name}</a> · <Copy value={id} />
        </>
      }
      actions={<Actions plugin={plugin} deployment={deployment} />}
    >
      <div class="columns">
        <div class="stack">
          <Pages view={view} />
          <Section title={text('files')}>
            <Table title={text('files')} columns={fileColumns()} rows={view.files} idOf={({ path }) => path} />
          </Section>
          <ApiCall operation="pluginManagement.view" input={{ deploymentId: id }} />
        </div>
        <DeploymentFacts plugin={plugin} view={view} />
      </div>
    </Page>
  )
}

/** Pages with their screenshots; where none is stored, the way to the page itself. */
function Pages({ view }: { view: DeploymentView }) {
  const pictures = picturesOf(view)
  const { deployment } = view
  const isThere = deployment.state !== 'removed'
  return (
    <Section title={text('pages')}>
      <ul class="pages">
        {pagesOf(view).map((page) => {
          const url = isThere ? pageUrl(deployment, page) : null
          return (
            <li key={page.id}>
              <p class="row-head">
                <strong>{page.name}</strong> <code dir="ltr">{page.path}</code>
                {url !== null && <Outside to={url} name={text('open')} />}
              </p>
              <div class="shots">
                {pictures
                  .filter(({ path }) => path === page.path)
                  .map((picture) => (
                    <figure key={`${picture.sha256} ${picture.window} ${picture.preset}`}>
                      <Picture of={picture} deploymentId={deployment.id} />
                      <figcaption class="hint">{picture.preset ?? text(`window.${picture.window}`)}</figcaption>
                    </figure>
                  ))}
              </div>
            </li>
          )
        })}
      </ul>
      {pictures.length === 0 && (
        <p class="hint">
          {text('noPictures')} <Copy value="npx tillwright preview --screenshots" />
        </p>
      )}
    </Section>
  )
}

const fileColumns = (): readonly Column<DeploymentView['files'][number]>[] => [
  { title: text('file'), cell: ({ path }) => <bdi>{path}</bdi> },
  { title: text('type'), rank: 3, cell: ({ contentType }) => contentType },
  { title: text('size'), isNumber: true, cell: ({ size }) => sizeOf(size) },
]

function DeploymentFacts({ plugin, view }: { plugin: StorePlugin; view: DeploymentView }) {
  const { deployment, aliases, routes, revision, files } = view
  const source = sourceOf(view)
  const { mode, plugin: deployed } = deployment
  return (
    <Section title={text('facts')}>
      <Facts
        of={[
          [text('address'), <Outside key="url" to={deployment.url} />],
          [text('description'), deployed.description || null],
          [text('deployed'), <Time key="at" at={deployment.deployedAt} />],
          [text('deployedBy'), actorName(deployment.deployedBy)],
          [text('source'), source.length === 0 ? null : source.join(' · ')],
          [text('offlineSince'), deployment.offlineSince && <Time key="offline" at={deployment.offlineSince} />],
          [text('removed'), deployment.removedAt && <Time key="removed" at={deployment.removedAt} />],
          [text('size'), sizeOf(deployment.size)],
          [text('files'), count(files.length)],
          [text('mode'), text(`mode.${mode}`)],
          [text('revision'), count(revision)],
          [text('domains'), routes.map(({ hostname, path }) => hostname + path).join(', ') || null],
          [
            text('aliases'),
            aliases.length === 0 ? null : aliases.map(({ name, url }) => <Outside key={name} to={url} name={name} />),
          ],
          [
            text('plugin'),
            <a key="plugin" href={`/console${pluginPath(plugin)}`}>
              {plugin.pluginId}
            </a>,
          ],
        ]}
      />
    </Section>
  )
}
