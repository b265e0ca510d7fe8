import { Button } from '../design/controls.tsx'
import { Empty } from '../design/states.tsx'
import { Page } from './page.tsx'
import { text } from './text.ts'

/**
 * In the place of a page whose script did not come: the platform is away, or has replaced the files of the version that this
 * window was opened with. A browser may keep a script that failed for failed, so that only the document brings it anew.
 */
export function NotLoaded() {
  return (
    <Page title={text('notLoaded')}>
      <Empty>
        <p>{text('notLoadedHint')}</p>
        <Button onClick={() => location.reload()}>{text('retry')}</Button>
      </Empty>
    </Page>
  )
}
