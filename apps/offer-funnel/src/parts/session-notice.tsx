import type { JSX } from 'preact'
import { useSession } from '@tillwright/plugin-sdk/preact'
import { beginAnew } from '../flow/begin-anew.ts'
import { useFunnel, useTexts } from '../flow/funnel-context.ts'

/** Says so when the session is away, and what can be done. */
export function SessionNotice(): JSX.Element {
  const { status } = useSession()
  const { page } = useFunnel()
  const texts = useTexts()
  const isWrong = status === 'offline' || status === 'expired' || status === 'failed'
  return (
    <div role="status" class="session-notice">
      {status === 'moved' && (
        <p>
          {texts.moved}{' '}
          <button type="button" class="link" onClick={() => beginAnew(page.data)}>
            {texts.startOver}
          </button>
        </p>
      )}
      {isWrong && (
        <p>
          {texts[status]}{' '}
          {status === 'failed' && (
            <button type="button" class="link" onClick={() => void page.session.refresh().catch(() => {})}>
              {texts.reload}
            </button>
          )}
        </p>
      )}
    </div>
  )
}
