import type { Parts } from '../call.ts'
import type { ThreedsFiles } from './frame-files.ts'
import { issuerAddresses } from './issuer-addresses.ts'
import {
  admitFrame,
  fillFrame,
  framePolicy,
  pageHeaders,
  refusedFrame,
  scriptIntegrity,
  type FrameCaller,
  type FrameQuery,
  type Page,
} from './frame-page.ts'

/** What the 3-D Secure frame is made of. */
export interface ThreedsFrameParts {
  files: ThreedsFiles
  caller: FrameCaller
  query: ThreedsFrameQuery
  environment: Parts['environment']
}

/** What a shop's page asks for. */
export interface ThreedsFrameQuery extends FrameQuery {
  /** A language of `ThreedsFiles.texts`; anything else is served in English. */
  locale: string
  /**
   * Where a buyer goes afterwards whom the shop sends here because its page cannot hold the frame: an address of
   * `origin`. Empty for a frame.
   */
  returnUrl: string
}

/** The 3-D Secure frame for one page of a shop, the same as a page of its own, or a plain page that says why not. */
export function threedsFramePage({ files, caller, query, environment }: ThreedsFrameParts): Page {
  const { key, origin, id, locale, returnUrl } = query
  const admission = admitFrame(caller, query)
  if (admission.outcome === 'refused') return admission.page
  if (returnUrl !== '' && !isOf(origin, returnUrl))
    return refusedFrame(400, "The way back must lead to the page's origin.")
  const { issuers, sources } = issuerAddresses(environment)
  const ancestors = returnUrl === '' ? admission.origins : ["'none'"]
  const frame = JSON.stringify({ id, origin, key, issuers, returnUrl })
  const texts = files.texts.get(locale) ?? files.texts.get('en')
  return {
    status: 200,
    headers: {
      ...pageHeaders,
      // A bank's server may refuse a form without an origin, which is what `no-referrer` would make of it.
      'Referrer-Policy': 'strict-origin',
      'Content-Security-Policy': framePolicy(files.hashes, ancestors, sources),
      ...scriptIntegrity,
    },
    html: fillFrame(files.html, { ...texts, frame }),
  }
}

/** Whether an address leads to an origin; that of a `blob:` is the origin that made it. */
function isOf(origin: string, url: string): boolean {
  return /^https?:/.test(url) && URL.canParse(url) && new URL(url).origin === origin
}
