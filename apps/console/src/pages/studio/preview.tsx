import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiFailure } from '../../api/client.ts'
import { Button, Select } from '../../design/controls.tsx'
import { Failure } from '../../design/states.tsx'
import type { JsonObject } from '../../forms/schema/index.ts'
import { useMay } from '../../shell/session.ts'
import {
  type BegunPreview,
  beginPreview,
  changePreview,
  type PluginPage,
  type PreviewTarget,
} from './preview-session.ts'
import { text } from './text.ts'

/** How long typing has to pause before the page follows. */
const PAUSE_MS = 200
/** A page that has not answered by then does not listen: it is loaded again. */
const ANSWER_MS = 2_000
/** Type of the messages between the console and a page's SDK. They carry no data: the receiver reads it anew. */
const MESSAGE = 'tillwright:preview'

interface PreviewProps {
  target: Omit<PreviewTarget, 'page'>
  pages: readonly PluginPage[]
  /** The settings to show. */
  config: JsonObject
}

type State =
  | { is: 'beginning' }
  | { is: 'nowhere' }
  | { is: 'failed'; failure: ApiFailure }
  | ({ is: 'shown' } & BegunPreview)

/** The plugin's page with what is typed, in a session that sells nothing. */
export function Preview({ target, pages, config }: PreviewProps) {
  const [pageId, setPageId] = useState(pages[0]?.id ?? '')
  const [isNarrow, setNarrow] = useState(false)
  const page = pages.find(({ id }) => id === pageId) ?? pages[0]
  const may = useMay()
  if (!may('funnels.previewSession') || !may('funnels.updatePreview'))
    return <p class="hint">{text('preview.notAllowed')}</p>
  if (page === undefined) return <p class="hint">{text('preview.noPage')}</p>
  return (
    <div class="preview">
      <div class="choices">
        {pages.length > 1 && (
          <Select
            label={text('preview.page')}
            value={page.id}
            options={pages.map(({ id, name }) => ({ value: id, name }))}
            onValue={setPageId}
          />
        )}
        <Button aria-pressed={isNarrow} onClick={() => setNarrow(!isNarrow)}>
          {text('preview.phone')}
        </Button>
      </div>
      <PageFrame key={page.id} target={{ ...target, page }} config={config} isNarrow={isNarrow} />
    </div>
  )
}

interface PageFrameProps {
  target: PreviewTarget
  config: JsonObject
  isNarrow: boolean
}

function PageFrame({ target, config, isNarrow }: PageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [state, setState] = useState<State>({ is: 'beginning' })
  const latest = useRef(config)
  latest.current = config
  const begin = async () => {
    setState({ is: 'beginning' })
    try {
      const begun = await beginPreview(target, latest.current)
      setState(begun === null ? { is: 'nowhere' } : { is: 'shown', ...begun })
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      setState({ is: 'failed', failure: error })
    }
  }
  useEffect(() => void begin(), [])
  const fail = (failure: ApiFailure) => setState({ is: 'failed', failure })
  useFollowing({ frame, sessionId: state.is === 'shown' ? state.sessionId : null, config, url: target.url, fail })
  switch (state.is) {
    case 'beginning':
      return <div class="stage" aria-busy="true" />
    case 'nowhere':
      return <p class="hint">{text('preview.noFunnel')}</p>
    case 'failed':
      return <Failure failure={state.failure} retry={begin} />
    case 'shown':
      return (
        <div class="stage">
          <iframe
            ref={frame}
            class={isNarrow ? 'narrow' : ''}
            title={text('preview.title', { page: target.page.name })}
            // Another origin than this page's, which it keeps: it may not leave the frame, open windows or ask in dialogs.
            sandbox="allow-scripts allow-same-origin allow-forms"
            referrerpolicy="no-referrer"
            allow=""
            src={state.address}
          />
        </div>
      )
  }
}

interface Following {
  frame: { current: HTMLIFrameElement | null }
  /** `null` before it has begun. */
  sessionId: string | null
  config: JsonObject
  url: string
  fail: (failure: ApiFailure) => void
}

/** Has the page in the frame follow the settings, one change after the other. */
function useFollowing({ frame, sessionId, config, url, fail }: Following): void {
  const words = JSON.stringify(config)
  const sent = useRef(words)
  const sending = useRef(Promise.resolve())
  const { origin } = new URL(url)
  useEffect(() => {
    if (sessionId === null || sent.current === words) return
    const send = async () => {
      if (sent.current === words) return
      try {
        await changePreview(sessionId, config)
        sent.current = words
        tell(frame.current, origin)
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error
        fail(error)
      }
    }
    const timer = setTimeout(() => (sending.current = sending.current.then(send)), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words, sessionId])
}

/** Tells the page to look again. One without the SDK does not hear it, and is loaded again. */
function tell(element: HTMLIFrameElement | null, origin: string): void {
  const page = element?.contentWindow
  if (!element || !page) return
  const reload = () => {
    stop()
    element.src = element.src.split('#', 1)[0] ?? ''
  }
  const timer = setTimeout(reload, ANSWER_MS)
  const hear = ({ data, source, origin: from }: MessageEvent) => {
    if (data === MESSAGE && source === page && from === origin) stop()
  }
  const stop = () => {
    clearTimeout(timer)
    removeEventListener('message', hear)
  }
  addEventListener('message', hear)
  page.postMessage(MESSAGE, origin)
}
