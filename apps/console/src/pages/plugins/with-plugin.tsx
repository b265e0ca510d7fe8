import type { ComponentChildren } from 'preact'
import { useLocation, useRoute } from 'preact-iso'
import { Bone, Empty, Failure } from '../../design/states.tsx'
import { Page } from '../../shell/page.tsx'
import { text } from './text.ts'
import { type StorePlugin, usePlugins } from './words.ts'

interface WithPluginProps {
  children: (plugin: StorePlugin, all: readonly StorePlugin[]) => ComponentChildren
}

/** The plugin of the address, in the store that the address names or in the first that has it. */
export function WithPlugin({ children }: WithPluginProps) {
  const { id = '' } = useRoute().params
  const { storeId } = useLocation().query
  const { plugins, failure, retry } = usePlugins({ pluginId: id, ...(storeId !== undefined && { storeId }) })
  if (plugins === null)
    return <Page title={id}>{failure === null ? <Bone /> : <Failure failure={failure} retry={retry} />}</Page>
  const plugin = plugins.find((each) => each.storeId === storeId) ?? plugins[0]
  if (plugin !== undefined) return <>{children(plugin, plugins)}</>
  return (
    <Page title={id}>
      <Empty title={text('missing')}>
        <p>{text('missingHint')}</p>
      </Empty>
    </Page>
  )
}
