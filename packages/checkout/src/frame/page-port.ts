import type { Texts } from '../locales/index.ts'
import {
  type Appearance,
  type Handshake,
  isHandshake,
  parseMessage,
  toFrame,
  type ToFrame,
  type ToPage,
  WIRE_VERSION,
} from '../wire/index.ts'
import { applyAppearance } from './appearance.ts'
import { CardForm } from './card-form.ts'
import type { FrameAddress } from './config.ts'
import type { LoadTexts } from './locale-loader.ts'
import type { Sender } from './sender.ts'
import type { TokenAnswer } from './token-request.ts'

type Options = Extract<ToFrame, { type: 'configure' }>

/** How long the document's end may take after its beginning: until then the page has been answered, and so waits for answers. */
const END_TIMEOUT_MS = 15_000

/**
 * Runs the card form for the page at the other end of the port, until the frame is closed.
 *
 * @param sender Comes with the end of the document, which a buyer who types is not kept waiting for.
 */
export function servePage(port: MessagePort, sender: Promise<Sender>, loadTexts: LoadTexts): void {
  const post = (message: ToPage): void => port.postMessage(message)
  const form = new CardForm(post, loadTexts)
  // Browsers tell nobody that a document was cut off. A form that falls silent is given up by its page.
  const cut = setTimeout(() => port.close(), END_TIMEOUT_MS)
  void sender.then(({ aheadMs }) => {
    clearTimeout(cut)
    form.setClock(aheadMs)
  })
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
      case 'ping':
        post(message)
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
      const { send } = await sender
      const answer = await send({ ...verdict, challengeResponse })
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
  const reported = new Set<string>()
  const apply = (): void => {
    for (const dropped of applyAppearance(root, appearance, darkSystem.matches)) {
      if (!reported.has(dropped.variable)) post({ type: 'dropped', ...dropped })
      reported.add(dropped.variable)
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
    // The page shows the form once it knows its height.
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

/**
 * Says hello to the page and waits for its end of the channel. Both go to, and come from, exactly the origin for which the
 * vault has answered with the document; after the port has come, no window message is listened to any more.
 *
 * @param frame The frame's own window.
 */
export function receivePort(frame: Window, { id, origin }: Pick<FrameAddress, 'id' | 'origin'>): Promise<MessagePort> {
  return new Promise((resolve) => {
    frame.addEventListener('message', receive)
    const hello: Handshake = { tillwright: 'hello', v: WIRE_VERSION, id }
    frame.parent.postMessage(hello, origin)

    function receive(event: MessageEvent): void {
      const [port] = event.ports
      const isPage = event.source === frame.parent && event.origin === origin
      if (!isPage || !port || !isHandshake(event.data, 'port', id)) return
      frame.removeEventListener('message', receive)
      resolve(port)
    }
  })
}
