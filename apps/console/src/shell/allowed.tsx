import type { ComponentType } from 'preact'
import type { OperationName } from '../api/client.ts'
import { Empty } from '../design/states.tsx'
import { Page } from './page.tsx'
import { useMay } from './session.ts'
import { text } from './text.ts'

/** The page for a member whose role has the operation that it reads first, and why not for others. */
export function allowed(needs: OperationName, Inside: ComponentType): ComponentType {
  return () => (useMay()(needs) ? <Inside /> : <NotAllowed />)
}

function NotAllowed() {
  return (
    <Page title={text('notAllowed')}>
      <Empty>
        <p>{text('notAllowedHint')}</p>
      </Empty>
    </Page>
  )
}
