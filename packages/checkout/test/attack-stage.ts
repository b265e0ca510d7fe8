import { createServer } from 'node:http'
import type { BrowserContext, Page } from 'playwright-core'
import { listen } from './listen.ts'
import { keepPorts, watchMessages } from './shop-page.ts'
import { setStage, typedNumbers } from './stage.ts'
import type { TestVault } from './vault-server.ts'
import { type PageWatch, watchPages } from './watch-pages.ts'
import { type Defence, serveWithout } from './without-defences.ts'

/** A vault, a shop that has no policy of its own to help us, and a third origin that means ill. */
export interface AttackStage {
  vault: TestVault
  shopUrl: string
  evilUrl: string
  /** The requests to the evil origin, oldest first. */
  readonly evilHits: string[]
  /** Opens the shop in a watched profile. */
  open(): Promise<Page>
  /** Opens the shop with a checkout that has lost some defences; complaints of the page are not checked. */
  openWithout(...defences: Defence[]): Promise<Page>
  /** Takes the complaints that an attack cannot but cause, so that the test can judge them. */
  takeComplaints(): string[]
  /**
   * Closes every page after a test.
   *
   * @throws Error that lists what the watched pages complained of and where they let a typed number out.
   */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Sets the stage for attacks in a real browser. */
export async function setAttackStage(): Promise<AttackStage> {
  const stage = await setStage()
  const { vault, browser } = stage
  const evilHits: string[] = []
  const evil = await listen(htmlServer('<!doctype html><title>Evil</title>', (path) => evilHits.push(path)))
  const shop = await listen(htmlServer(shopHtml(vault.url)))
  const watches: PageWatch[] = []
  const allowShop = (): void => void (vault.allowedOrigins = [shop.url])
  allowShop()

  async function openIn(context: BrowserContext): Promise<Page> {
    await context.addInitScript(watchMessages)
    await context.addInitScript(keepPorts)
    const page = await context.newPage()
    await page.goto(shop.url)
    return page
  }

  return {
    vault,
    shopUrl: shop.url,
    evilUrl: evil.url,
    evilHits,
    open: async () => {
      const context = await browser.newContext()
      watches.push(await watchPages(context))
      return openIn(context)
    },
    openWithout: async (...defences) => {
      const context = await browser.newContext()
      await serveWithout(context, defences)
      return openIn(context)
    },
    takeComplaints: () => watches.flatMap((watch) => watch.takeComplaints()),
    clear: async () => {
      const leaks = await Promise.all(watches.map((watch) => watch.leaks(typedNumbers)))
      const complaints = watches.splice(0).flatMap((watch) => watch.takeComplaints())
      await Promise.all(browser.contexts().map((context) => context.close()))
      allowShop()
      vault.cards.length = 0
      vault.bodies.length = 0
      evilHits.length = 0
      const findings = [...complaints, ...leaks.flat()]
      if (findings.length > 0) throw new Error(`The watched pages:\n${findings.join('\n')}`)
    },
    close: async () => {
      await stage.close()
      await Promise.all([evil.close(), shop.close()])
    },
  }
}

function htmlServer(html: string, onHit: (path: string) => void = () => {}): ReturnType<typeof createServer> {
  return createServer((request, response) => {
    // Browsers ask for an icon by themselves.
    if (request.url === '/favicon.ico') return void response.writeHead(204).end()
    onHit(request.url ?? '')
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html)
  })
}

function shopHtml(vaultUrl: string): string {
  return `<!doctype html><html lang="en"><title>Shop</title><div id="card"></div>
    <script src="${vaultUrl}/v1/tillwright.js"></script></html>`
}
