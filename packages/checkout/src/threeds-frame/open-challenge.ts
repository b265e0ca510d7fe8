import { awaitNotice } from './await-notice.ts'
import type { Challenge } from './call-vault.ts'
import { openIssuerPage } from './open-issuer-page.ts'

/** Width and height in CSS pixels; `05` is larger than any window, to which the style cuts all of them. */
const sizes = { '01': [250, 400], '02': [390, 400], '03': [500, 600], '04': [600, 400], '05': [9_999, 9_999] } as const

/** The bank's page while it is open. */
export interface OpenChallenge {
  /** The dialog was closed: by the buyer's button, by Esc, by the page. */
  closed: Promise<unknown>
  /** The bank has sent the browser back. */
  finished: Promise<void>
}

/** Shows the bank's page in the document's modal dialog. */
export function openChallenge({ acsUrl, creq, windowSize }: Challenge, dialog: HTMLDialogElement): OpenChallenge {
  const closed = new Promise((resolve) => dialog.addEventListener('close', resolve))
  dialog.showModal()
  const iframe = openIssuerPage(dialog, acsUrl, ['creq', creq])
  const [width, height] = sizes[windowSize]
  iframe.width = `${width}`
  iframe.height = `${height}`
  iframe.title = document.title
  return { closed, finished: awaitNotice(iframe, 'challenge') }
}
