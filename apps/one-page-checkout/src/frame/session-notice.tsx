import { usePage, useSession } from '@tillwright/plugin-sdk/preact'
import type { JSX } from 'preact'
import { useWords } from '../texts/use-words.tsx'
import { Notice } from './notice.tsx'

/** Tells of a session that is out of reach, and that nothing is sold in a preview. */
export function SessionNotice(): JSX.Element | null {
  const page = usePage()
  const { status } = useSession()
  const say = useWords()
  if (status === 'expired') return <Notice text={say('previewExpired')} />
  if (status === 'moved') {
    return (
      <Notice text={say('moved')}>
        <button type="button" class="quiet" onClick={() => void page.session.startOver().catch(stillAway)}>
          {say('startOver')}
        </button>
      </Notice>
    )
  }
  if (status === 'offline' || status === 'failed') {
    return (
      <Notice text={say(status === 'offline' ? 'offline' : 'notLoaded')}>
        <button type="button" class="quiet" onClick={() => void page.session.refresh().catch(stillAway)}>
          {say('tryAgain')}
        </button>
      </Notice>
    )
  }
  return page.isPreview ? <p class="preview-mark">{say('preview')}</p> : null
}

/** The session's status goes on saying so. */
function stillAway(): void {}
