/** A connection to a browser that speaks WebDriver BiDi. Source: https://www.w3.org/TR/webdriver-bidi/ */
export interface Bidi {
  /** @throws {Error} With the browser's words, when it refuses. */
  call(method: string, params?: object): Promise<Record<string, unknown>>
  /** The first element that matches. @throws {Error} Where there is none. */
  locate(selector: string, context: string): Promise<{ sharedId: string }>
  /** Calls a function in a document. @throws {Error} What the function throws. */
  run(functionDeclaration: string, context: string, ...given: object[]): Promise<{ value: unknown }>
}

interface Answer {
  id: number
  type: 'success' | 'error' | 'event'
  result: Record<string, unknown>
  error: string
  message: string
}

/** Opens a connection; it lives as long as its browser. */
export async function openBidi(url: string): Promise<Bidi> {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (answer: Answer | null) => void>()
  let calls = 0
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`Nobody answers at ${url}.`)))
  })
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(String(data))
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  socket.addEventListener('close', () => {
    for (const settle of waiting.values()) settle(null)
  })

  async function call(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const answer = await new Promise<Answer | null>((resolve) => {
      if (socket.readyState !== WebSocket.OPEN) return resolve(null)
      waiting.set(++calls, resolve)
      socket.send(JSON.stringify({ id: calls, method, params }))
    })
    if (answer === null) throw new Error(`The browser ended before it answered ${method}.`)
    if (answer.type === 'error') throw new Error(`${method}: ${answer.error}: ${answer.message}`)
    return answer.result
  }

  return {
    call,
    async locate(value, context) {
      const { nodes } = await call('browsingContext.locateNodes', { context, locator: { type: 'css', value } })
      // Each is a remote value with a shared id (WebDriver BiDi, "script.NodeRemoteValue").
      const [node] = nodes as { sharedId: string }[]
      if (!node) throw new Error(`There is no ${value}.`)
      return { sharedId: node.sharedId }
    },
    async run(functionDeclaration, context, ...given) {
      const target = { target: { context }, arguments: given, awaitPromise: true, userActivation: false }
      const answer = await call('script.callFunction', { functionDeclaration, ...target })
      // One of the two, told by `type` (WebDriver BiDi, "script.EvaluateResult").
      const { result, exceptionDetails } = answer as {
        result?: { value: unknown }
        exceptionDetails?: { text: string }
      }
      if (!result) throw new Error(exceptionDetails?.text ?? 'It threw.')
      return result
    },
  }
}
