import { awaitNotice } from './await-notice.ts'
import type { Challenge } from './call-vault.ts'
import { openIssuerPage } from './open-issuer-page.ts'

/** Width and height in CSS pixels; `05` is larger than any window, to which the style cuts all of them. */
const sizes = {
  '01': ['250', '400'],
  '02': ['390', '400'],
  '03': ['500', '600'],
  '04': ['600', '400'],
  '05': ['9999', '9999'],
} as const

/**
 * Shows the bank's page in the document's modal dialog.
 *
 * @param asked `null` when the bank asks elsewhere: its document says so, in the dialog's last paragraph, which a page takes the place of.
 * @returns How it ended here: `cancel` when the dialog was closed, by the buyer's button, by Esc or by the page; `result`
 *   when the bank has sent the browser back.
 */
export function openChallenge(asked: Challenge | null, dialog: HTMLDialogElement): Promise<'cancel' | 'result'> {
  return new Promise((resolve) => {
    dialog.onclose = () => resolve('cancel')
    dialog.showModal()
    if (!asked) {
      dialog.ariaDescription = dialog.lastChild?.textContent ?? null
      return
    }
    dialog.lastChild?.remove()
    const iframe = openIssuerPage(dialog, asked.acsUrl, ['creq', asked.creq])
    ;[iframe.width, iframe.height] = sizes[asked.windowSize]
    iframe.title = document.title
    void awaitNotice(iframe, 'challenge').then(() => resolve('result'))
  })
}
