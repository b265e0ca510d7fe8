/** A server's answer to one request of a contender's page or frames. */
export interface Answer {
  status?: number
  headers?: Readonly<Record<string, string>>
  body: string | Uint8Array<ArrayBuffer>
  /** True when the bench wrote it in the contender's place, so that its size says nothing. */
  standIn?: true
  /** The field works as soon as the body has come as far as this text: what follows is not counted. */
  worksFrom?: string
}

/** A card form under measurement, as a shop would put it into its page. */
export interface Contender {
  name: string
  version: string
  /** The body of the shop's page, scripts last. */
  markup: string
  /** The card number's input, in whichever frame it lies. */
  field: string
  /** Scope of the figures, in a sentence or two. */
  contents: string
  /** The answer to a request; `null` when there is no such file. */
  answer(url: URL): Answer | null | Promise<Answer | null>
  /** Ends what runs for it. */
  close(): Promise<void>
}

/** Where the page of every contender's shop lies. */
export const SHOP_ORIGIN = 'https://shop.example'

/** A script, with a type that is counted. */
export function script(body: string): Answer {
  return { headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'max-age=3600' }, body }
}

/** A style sheet. */
export function style(body: string): Answer {
  return { headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=3600' }, body }
}

/** A document, which a browser may use for several frames. */
export function html(body: string): Answer {
  return { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'max-age=3600' }, body }
}

/** A simulated answer of a contender's API, with CORS. */
export function json(body: unknown): Answer {
  const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }
  return { headers, body: JSON.stringify(body), standIn: true }
}
