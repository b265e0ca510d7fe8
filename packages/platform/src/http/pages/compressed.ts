import {
  acceptedEncoding,
  type ContentEncoding,
  encodedOnce,
  type SharedBeginning,
  type SharedBytes,
} from '../../runtime/index.ts'
import type { HttpContext } from '../operations/index.ts'

/*
 * Shared files are compressed once, and so are pages without anything the requester may not read. Answers of the API
 * are not: they repeat input next to secrets of the caller, and the compressed length would reveal both (BREACH).
 * Operators who want them compressed do so in their proxy, at their own risk.
 */

/** Sends bytes that are the same for every requester. Extends a `Vary` among the headers. */
export async function sendShared(c: HttpContext, body: SharedBytes, headers: Headers): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  return new Response(await body.in(encoding), { headers: { ...headers, ...encodingHeaders(encoding, headers) } })
}

type Headers = Readonly<Record<string, string>>

/** A page that is made for this request. */
interface MadePage {
  html: string
  /** What stands before `html`, and is the same for every requester. */
  beginning?: SharedBeginning
  status: number
  headers: Headers
}

/** Answers with a page that was made for this request, and holds no secret that was there before it. */
export async function sendPage(c: HttpContext, { html, beginning, status, headers }: MadePage): Promise<Response> {
  const encoding = acceptedEncoding(c.req.header('accept-encoding'))
  const body = await (beginning ? beginning.followedBy(html, encoding) : encodedOnce(html, encoding))
  return new Response(body, { status, headers: { ...headers, ...encodingHeaders(encoding, headers) } })
}

function encodingHeaders(encoding: ContentEncoding, { Vary }: Headers): Headers {
  const vary = Vary === undefined ? 'Accept-Encoding' : `${Vary}, Accept-Encoding`
  return { Vary: vary, ...(encoding !== 'identity' && { 'Content-Encoding': encoding }) }
}
