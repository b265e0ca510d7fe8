/*
 * The attacker: the author of a plugin, whose page a member of the account opens while signed in to the console. The page is
 * on a host of its own; it wants the cookie of the console's session, or to have it used.
 */
import { contract } from '@tillwright/contract'
import type { Page, Request } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { deployPlugin } from '../../../packages/platform/test/plugins/deploy-plugin.ts'
import { placeMember } from '../../../packages/platform/test/console-browser.ts'
import { sharedPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

const platform = sharedPlatform({ env: consoleHost })
const COOKIE = 'tillwright_console'
const ME = contract.me.get.path
const INVITE = contract.members.invite.path

let pluginUrl: string
beforeAll(async () => {
  const content =
    '<!doctype html><html><head><title>Plugin</title><link rel="icon" href="data:,"></head><body></body></html>'
  pluginUrl = (await deployPlugin(platform(), { inlineAssets: [{ path: 'index.html', content }] })).url
})

/**
 * A member's browser with the console in one page and the plugin in another, where neither the plugin's policy nor that of
 * any other page holds an attack back: what does is the cookie, or the platform.
 */
async function visited() {
  const { page: console, context } = await signedIn(platform(), 'owner', { bypassCSP: true })
  const plugin = await context.newPage()
  const toConsole: Request[] = []
  plugin.on('request', (request) => new URL(request.url()).hostname === 'localhost' && toConsole.push(request))
  await plugin.goto(pluginUrl)
  const [cookie] = (await context.cookies(platform().apiUrl)).filter(({ name }) => name === COOKIE)
  if (cookie === undefined) throw new Error('The member is signed in.')
  const cookiesSent = () =>
    Promise.all(toConsole.map(async (request) => (await request.allHeaders())['cookie'] ?? null))
  return { console, plugin, context, token: cookie.value, toConsole, cookiesSent }
}

const emails = async () =>
  (await platform().call(contract.members.list, { query: { limit: 100 } })).data.map(({ email }) => email)

/** The signed-in member, as the console's own page reads it. */
const signedInAs = (console: Page) =>
  console.evaluate(
    `fetch(${JSON.stringify(ME)}, { headers: { 'Tillwright-Console': '1' } }).then((answer) => answer.json()).then(({ member }) => member.email)`,
  )

test('a script does not see the cookie, nor does the page that it opens or the console itself', async () => {
  const { console, plugin, context, token } = await visited()
  expect(await plugin.evaluate('document.cookie')).toBe('')
  expect(await console.evaluate('document.cookie')).not.toContain(token)
  const opened = context.waitForEvent('page')
  await plugin.evaluate(`window.opened = open(${JSON.stringify(`${platform().apiUrl}/console`)}), 0`)
  await (await opened).getByRole('navigation').waitFor({ state: 'attached' })
  const stolen = `(() => { try { return window.opened.document.cookie } catch (error) { return error.name } })()`
  expect(await plugin.evaluate(stolen)).toMatch(/SecurityError|TypeError/)
})

test('fetch with credentials sends no cookie, and neither reads nor changes anything', async () => {
  const { console, plugin, token, cookiesSent, toConsole } = await visited()
  // The same look at a request of the console finds the cookie.
  const [own] = await Promise.all([
    console.waitForRequest((request) => request.url().endsWith(ME)),
    signedInAs(console),
  ])
  expect((await own.allHeaders())['cookie']).toBe(`${COOKIE}=${token}`)
  const before = await emails()
  const body = JSON.stringify({ email: 'accomplice@example.com', role: 'owner' })
  const tries = [
    [ME, {}],
    [ME, { mode: 'no-cors' }],
    [ME, { headers: { 'Tillwright-Console': '1' } }],
    [INVITE, { method: 'POST', mode: 'no-cors', body }],
    [INVITE, { method: 'POST', headers: { 'Content-Type': 'application/json', 'Tillwright-Console': '1' }, body }],
  ] as const
  for (const [path, init] of tries) {
    const sent = JSON.stringify([`${platform().apiUrl}${path}`, { ...init, credentials: 'include' }])
    const read = await plugin.evaluate(`fetch(...${sent}).then((answer) => answer.text(), () => 'refused')`)
    expect(read).toMatch(/^(refused|)$/)
  }
  expect(toConsole.length).toBeGreaterThanOrEqual(tries.length - 1)
  expect(await cookiesSent()).toEqual(toConsole.map(() => null))
  expect(await emails()).toEqual(before)
})

test('a form that is posted goes without the cookie and is refused, and a link that is followed has none either', async () => {
  const { console, plugin, cookiesSent } = await visited()
  const before = await emails()
  const signedInBefore = await signedInAs(console)
  for (const [path, type] of [
    [INVITE, 'text/plain'],
    [contract.me.signOut.path, 'application/x-www-form-urlencoded'],
  ] as const) {
    await plugin.goto(pluginUrl)
    const navigated = plugin.waitForResponse(`${platform().apiUrl}${path}`)
    await plugin.evaluate(`{
      const form = document.createElement('form')
      Object.assign(form, { method: 'POST', enctype: ${JSON.stringify(type)}, action: ${JSON.stringify(platform().apiUrl + path)} })
      const field = document.createElement('input')
      field.name = '{"email":"accomplice@example.com","role":"owner","x":"'
      field.value = '"}'
      form.append(field)
      document.body.append(form)
      form.submit()
    }`)
    expect([401, 403]).toContain((await navigated).status())
    await plugin.waitForURL(`${platform().apiUrl}${path}`)
  }
  for (const cookie of await cookiesSent()) expect(cookie).toBeNull()
  await plugin.goto(pluginUrl)
  const followed = plugin.waitForRequest(`${platform().apiUrl}/console`)
  await plugin.evaluate(`void location.assign(${JSON.stringify(`${platform().apiUrl}/console`)})`)
  expect((await (await followed).allHeaders())['cookie']).toBeUndefined()
  await plugin.waitForURL(`${platform().apiUrl}/console`)
  expect(await emails()).toEqual(before)
  expect(await signedInAs(console)).toBe(signedInBefore)
})

test('frames, scripts, images and styles of the console come without the cookie, and show nothing', async () => {
  const { plugin, cookiesSent, toConsole } = await visited()
  const loaded =
    await plugin.evaluate(`Promise.all(['iframe', 'script', 'img', 'object'].map((tag) => new Promise((done) => {
    const element = document.createElement(tag)
    element.onload = () => done(tag)
    element.onerror = () => done(null)
    element[tag === 'object' ? 'data' : 'src'] = ${JSON.stringify(platform().apiUrl)} + (tag === 'iframe' ? '/console' : ${JSON.stringify(ME)})
    document.body.append(element)
  })))`)
  expect(loaded).not.toContain('script')
  expect(loaded).not.toContain('img')
  const inside = `(() => { try { return frames[0].document.body.textContent } catch (error) { return error.name } })()`
  expect(await plugin.evaluate(inside)).toBe('SecurityError')
  const framed = plugin.frames().filter((frame) => frame !== plugin.mainFrame())
  for (const frame of framed) expect(await frame.locator('nav, form').count()).toBe(0)
  expect(toConsole.length).toBeGreaterThan(2)
  expect(await cookiesSent()).toEqual(toConsole.map(() => null))
})

test("a cookie that the page sets for the console's host or its parents signs no other member in, and none out", async () => {
  const { console, plugin, context } = await visited()
  const own = await signedInAs(console)
  const { token } = await placeMember(platform())
  for (const domain of ['localhost', '.localhost', 'plugins.localhost', new URL(pluginUrl).hostname])
    for (const path of ['/', '/api', '/api/members/v1/me', '/console'])
      await plugin.evaluate(`document.cookie = '${COOKIE}=${token}; domain=${domain}; path=${path}; max-age=9999'`)
  expect((await context.cookies(platform().apiUrl + ME)).map(({ value }) => value)).not.toContain(token)
  await console.reload()
  expect(await signedInAs(console)).toBe(own)
})
