import { createHash } from 'node:crypto'

/** A page of the console: signing in, accepting an invitation, and what members have to sign in with. */
export type ConsolePageName = 'sign-in' | 'accept' | 'home'

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 28rem; margin: 4rem auto; padding: 0 1.25rem }
  h1 { font-size: 1.5rem }
  h2 { font-size: 1rem; margin: 2rem 0 .25rem }
  form, section { display: grid; gap: .75rem; margin: 1rem 0 }
  label { display: grid; gap: .25rem }
  input, button { font: inherit; padding: .5rem .75rem }
  ul { padding-left: 1.25rem }
  li { overflow-wrap: anywhere }
  [role=alert] { color: light-dark(#b00020, #ff8a80); min-height: 1.5rem }
  [hidden] { display: none }
`

const bodies: Readonly<Record<ConsolePageName, { title: string; html: string }>> = {
  'sign-in': {
    title: 'Sign in',
    html: `<section><button id="passkey">Sign in with a passkey</button></section>
<details><summary>Without a passkey</summary>
<form id="recovery">
<label>E-mail address <input name="email" type="email" autocomplete="username" required></label>
<label>Recovery code <input name="code" autocomplete="off" spellcheck="false" required></label>
<button>Sign in with a recovery code</button>
</form></details>`,
  },
  accept: {
    title: 'Accept the invitation',
    html: `<form id="accept">
<p id="invited">You make a passkey, which you sign in with from now on. It stays on your devices.</p>
<label>Name of the passkey <input name="name" value="My passkey" maxlength="100" required></label>
<button>Make a passkey</button>
</form>
<section id="codes" hidden><h2>Recovery codes</h2>
<p>Each of them signs you in once, without a passkey. They are shown this once: keep them safe.</p><ul></ul>
<a href="/console">Continue</a></section>`,
  },
  home: {
    title: 'Console',
    html: `<p id="who"></p>
<h2>Passkeys</h2><ul id="passkeys"></ul>
<form id="add"><label>Name <input name="name" value="Another passkey" maxlength="100" required></label>
<button>Add a passkey</button></form>
<h2>Recovery codes</h2><p id="left"></p>
<section><button id="new-codes">Make new recovery codes</button></section>
<section id="codes" hidden><ul></ul></section>
<h2>Sessions</h2><ul id="sessions"></ul>
<section><button id="sign-out">Sign out</button><button id="sign-out-everywhere">Sign out everywhere</button></section>`,
  },
}

/** What the pages do. Texts reach the document as text alone, and the token of an invitation leaves the address at once. */
const script = `
const find = (selector) => document.querySelector(selector)
const alertBox = find('[role=alert]')
async function send(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: { 'Tillwright-Console': '1', ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json()
  if (response.ok) return answer
  const error = new Error(answer.message)
  error.status = response.status
  throw error
}
const post = (path, body) => send('POST', path, body)
const attempt = (work) => async (event) => {
  event?.preventDefault()
  alertBox.textContent = ''
  try { await work(event && new FormData(event.target.matches('form') ? event.target : undefined)) }
  catch (error) { alertBox.textContent = error.name === 'NotAllowedError' ? 'No passkey was used.' : error.message }
}
const on = (selector, type, work) => find(selector).addEventListener(type, attempt(work))
const made = async (options) =>
  (await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })).toJSON()
const fill = (list, texts) => list.replaceChildren(...texts.map((text) => {
  const item = document.createElement('li')
  item.textContent = text
  return item
}))
function showCodes(codes) {
  fill(find('#codes ul'), codes)
  find('#codes').hidden = false
}
const pages = {
  'sign-in'() {
    on('#passkey', 'click', async () => {
      const options = PublicKeyCredential.parseRequestOptionsFromJSON(await post('/console/sign-in/begin', {}))
      const credential = await navigator.credentials.get({ publicKey: options })
      await post('/console/sign-in/passkey', { response: credential.toJSON() })
      location.assign('/console')
    })
    on('#recovery', 'submit', async (form) => {
      await post('/console/sign-in/recovery-code', { email: form.get('email'), code: form.get('code') })
      location.assign('/console')
    })
  },
  accept() {
    const token = location.hash.slice(1)
    history.replaceState(null, '', location.pathname)
    on('#accept', 'submit', async (form) => {
      const { options } = await post('/console/accept/begin', { token })
      const response = await made(options)
      const { recoveryCodes } = await post('/console/accept/finish', { token, name: form.get('name'), response })
      find('#accept').hidden = true
      showCodes(recoveryCodes)
    })
  },
  home() {
    const show = async () => {
      try {
        const me = await send('GET', '/api/members/v1/me')
        find('#who').textContent = me.member.email + ', ' + me.member.role.replace('_', ' ') + ' of ' + me.accountName
        fill(find('#passkeys'), me.passkeys.map(({ name }) => name))
        find('#left').textContent = me.recoveryCodesLeft + ' unused'
        const { data } = await send('GET', '/api/members/v1/me/sessions')
        fill(find('#sessions'), data.map((one) => one.createdAt + ' ' + one.address + (one.isCurrent ? ' (this one)' : '')))
      } catch (error) {
        if (error.status !== 401) throw error
        location.replace('/console/sign-in')
      }
    }
    on('#add', 'submit', async (form) => {
      const response = await made(await post('/console/passkeys/begin', {}))
      await post('/console/passkeys/add', { name: form.get('name'), response })
      await show()
    })
    on('#new-codes', 'click', async () => showCodes((await post('/api/members/v1/me/recovery-codes')).codes))
    for (const way of ['sign-out', 'sign-out-everywhere']) on('#' + way, 'click', async () => {
      await post('/api/members/v1/me/' + way)
      location.replace('/console/sign-in')
    })
    attempt(show)()
  },
}
pages[document.documentElement.dataset.page]()
`

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = [
  "default-src 'none'",
  `script-src ${sha256(script)}`,
  `style-src ${sha256(style)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Writes a page. Its headers keep other scripts, frames, windows and caches away from it. */
export function consolePage(name: ConsolePageName): { html: string; headers: Record<string, string> } {
  const { title, html } = bodies[name]
  return {
    html: `<!doctype html>
<html lang="en" data-page="${name}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Tillwright</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<main>
<h1>${title}</h1>
${html}
<p role="alert"></p>
</main>
<script type="module">${script}</script>
</html>
`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': 'publickey-credentials-create=(self), publickey-credentials-get=(self)',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  }
}
