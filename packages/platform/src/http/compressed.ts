import { acceptedEncoding, type ContentEncoding, encodedOnce, type SharedBytes } from '../runtime/index.ts'
import type { HttpContext } from './admission.ts'

/*
 * What is the same for everybody is compressed once, and so are pages that hold nothing which whoever asks for them may not
 * read. Answers of the API are not: they repeat what was sent beside what only the caller may know, and the length of
 * such an answer, compressed, tells about both (BREACH). Who wants them compressed has a proxy do it, and answers for it.
 */

/** Answers with bytes that everybody is sent alike. A `Vary` among the headers is kept. */
export async function sendShared(c: HttpContext, body: SharedBytes, headers: Headers): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  return new Response(await body.in(encoding), { headers: { ...headers, ...encodingHeaders(encoding, headers) } })
}

type Headers = Readonly<Record<string, string>>

/** A page that is made for this request. */
interface MadePage {
  html: string
  status: number
  headers: Headers
}

/** Answers with a page that was made for this request, and holds no secret that was there before it. */
export async function sendPage(c: HttpContext, { html, status, headers }: MadePage): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  const body = await encodedOnce(html, encoding)
  return new Response(body, { status, headers: { ...headers, ...encodingHeaders(encoding, headers) } })
}

function encodingHeaders(encoding: ContentEncoding, { Vary }: Headers): Headers {
  const vary = Vary === undefined ? 'Accept-Encoding' : `${Vary}, Accept-Encoding`
  return { Vary: vary, ...(encoding !== 'identity' && { 'Content-Encoding': encoding }) }
}
