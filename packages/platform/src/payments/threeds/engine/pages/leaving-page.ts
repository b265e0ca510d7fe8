import { acsPage, type AcsPage } from './acs-page.ts'
import { html, type Html } from './html.ts'

/** What a page sends on by itself. */
export interface Leaving {
  target: string
  fields: Readonly<Record<string, string>>
  /** Milliseconds that it waits; `null` when it never leaves. */
  afterMs: number | null
}

/** Sends its form after the time that the form tells. */
const script = `
const form = document.forms[0]
const after = Number(form.dataset.after)
if (after === 0) form.submit()
else setTimeout(() => form.submit(), after)
`

/** A page that posts its fields to another place by itself, or by its button where no script runs. */
export function leavingPage({ target, fields, afterMs }: Leaving): AcsPage {
  if (afterMs === null) return stayingPage()
  return acsPage({
    title: 'Back to the shop',
    script,
    formTarget: target,
    body: html`<main>
      <h1>Back to the shop</h1>
      <form method="post" action="${target}" data-after="${afterMs}">
        ${hidden(fields)} <button class="main">Continue</button>
      </form>
    </main>`,
  })
}

/** A page that goes nowhere. */
export function stayingPage(): AcsPage {
  return acsPage({
    title: 'Please wait',
    body: html`<main>
      <h1>Please wait</h1>
      <p>Nothing follows.</p>
    </main>`,
  })
}

function hidden(fields: Readonly<Record<string, string>>): Html {
  return Object.entries(fields).reduce(
    (before, [name, value]) => html`${before}<input type="hidden" name="${name}" value="${value}" />`,
    html``,
  )
}
