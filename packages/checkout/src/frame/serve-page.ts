import type { Appearance } from '../wire/appearance.ts'
import { toFrame, type ToFrame, type ToPage } from '../wire/messages.ts'
import { parseMessage } from '../wire/parse-message.ts'
import { applyAppearance } from './apply-appearance.ts'
import { CardForm } from './card-form.ts'
import type { FrameConfig } from './frame-config.ts'
import { requestToken, type Ambient, type TokenAnswer } from './request-token.ts'
import type { LoadTexts } from './speech.ts'
import type { Texts } from './texts.ts'

type Options = Extract<ToFrame, { type: 'configure' }>

/** What the form takes from its surroundings. */
export interface FrameAmbient extends Ambient {
  loadTexts: LoadTexts
}

/** Runs the card form for the page at the other end of the port, until the frame is closed. */
export function servePage(port: MessagePort, config: FrameConfig, ambient: FrameAmbient): void {
  const post = (message: ToPage): void => port.postMessage(message)
  const form = new CardForm(post, ambient)
  const configure = configurator(form, post)
  // A page that the browser keeps for the back button must not keep the card.
  window.addEventListener('pagehide', () => form.clear())

  port.addEventListener('message', ({ data }) => {
    const message = parseMessage(toFrame, data)
    if (message) serve(message)
  })
  port.start()

  function serve(message: ToFrame): void {
    switch (message.type) {
      case 'configure':
        configure(message)
        break
      case 'focus':
        form.focus()
        break
      case 'clear':
        form.clear()
        break
      case 'tokenize':
        void tokenize(message)
        break
    }
  }

  async function tokenize({ request, challengeResponse }: Extract<ToFrame, { type: 'tokenize' }>): Promise<void> {
    const verdict = form.judge()
    if ('complaint' in verdict) {
      post({ type: 'failed', request, ...verdict.complaint, requestId: null })
      return
    }
    form.lock(true)
    try {
      const answer = await requestToken({ ...verdict, challengeResponse }, config, ambient)
      post(toMessage(answer, request, form.texts))
    } finally {
      form.lock(false)
    }
  }
}

/** Applies the page's options; the first time, it also starts to report the form's height and says that all is ready. */
function configurator(form: CardForm, post: (message: ToPage) => void): (options: Options) => void {
  const darkSystem = matchMedia('(prefers-color-scheme: dark)')
  const root = document.documentElement
  let appearance: Appearance = {}
  let isReady = false
  const told = new Set<string>()
  const apply = (): void => {
    for (const dropped of applyAppearance(root, appearance, darkSystem.matches)) {
      if (!told.has(dropped.variable)) post({ type: 'dropped', ...dropped })
      told.add(dropped.variable)
    }
  }
  darkSystem.addEventListener('change', apply)
  return (options) => {
    appearance = options.appearance
    apply()
    void form.show(options).then(begin)
  }

  function begin(): void {
    if (isReady) return
    isReady = true
    const tellHeight = (): void => post({ type: 'resize', height: Math.ceil(document.body.offsetHeight) })
    // The page shows the form when it is told a height, and it shows it as high as it is.
    tellHeight()
    new ResizeObserver(tellHeight).observe(document.body)
    post({ type: 'ready' })
  }
}

function toMessage(answer: TokenAnswer, request: string, texts: Texts): ToPage {
  if (answer.type !== 'failed') return { request, ...answer }
  const words = answer.code === 'network_failed' ? texts.networkFailed : texts.tokenizeRejected
  return { request, field: null, ...answer, message: answer.message ?? words }
}
