import { redacted } from '../../inspect/redacted.ts'

/** A request that the page has made to the platform. */
export interface ApiCall {
  /** Counts the calls of the page from 1. */
  number: number
  method: string
  path: string
  /** 0 when nobody answered. */
  status: number
  tookMs: number
  sent: unknown
  answered: unknown
}

/** So many are kept. */
const CALLS_MAX = 50

/**
 * Keeps the page's requests to the platform, without what is secret in them. To be called before the page's own modules run.
 *
 * @param isApi Whether an address is one of the platform's.
 * @param changed Is told of all of them, the newest first, whenever one was answered.
 */
export function watchApiCalls(isApi: (url: URL) => boolean, changed: (calls: readonly ApiCall[]) => void): void {
  const calls: ApiCall[] = []
  let count = 0
  const send = window.fetch.bind(window)
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href)
    if (!isApi(url)) return send(input, init)
    const startedMs = performance.now()
    const keep = (status: number, answered: unknown) => {
      const method = init?.method ?? 'GET'
      const path = url.pathname.replace('/__tillwright/api', '')
      const tookMs = Math.round(performance.now() - startedMs)
      count += 1
      calls.unshift({ number: count, method, path, status, tookMs, sent: redacted(parsed(init?.body)), answered })
      calls.splice(CALLS_MAX)
      changed(calls)
    }
    try {
      const response = await send(input, init)
      void response
        .clone()
        .text()
        .then(
          (text) => keep(response.status, redacted(parsed(text))),
          () => {},
        )
      return response
    } catch (error) {
      keep(0, String(error))
      throw error
    }
  }
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' && text !== '' ? JSON.parse(text) : null
  } catch {
    return null
  }
}
