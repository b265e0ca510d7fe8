import { createServer } from 'node:http'
import { listen, type Listening } from './listen.ts'

const css = `
body { margin: 0; padding: 16px; font-family: system-ui, sans-serif; background: #fff; color: #1c2030 }
main { max-width: 26rem; margin: 0 auto }
body.dark { background: #12141c; color: #eef0f6 }
`

/**
 * Starts a shop whose page loads the vault's script tag under a strict Content-Security-Policy; that of `/methods` lets it ask
 * the vault, too, and asks for Trusted Types: its query may name their policies.
 */
export function startShop(vaultUrl: string): Promise<Listening> {
  const csp = `default-src 'none'; script-src ${vaultUrl}; frame-src ${vaultUrl}; style-src 'self'`
  const page = `<!doctype html><html lang="en"><head><title>Shop</title>
    <meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/shop.css"></head>
    <body><main><h1>Pay</h1><div id="card"></div><button id="pay">Pay</button></main>
    <script src="${vaultUrl}/v1/tillwright.js"></script></body></html>`
  const server = createServer((request, response) => {
    // Browsers ask for an icon by themselves.
    if (request.url === '/favicon.ico') return void response.writeHead(204).end()
    if (request.url === '/shop.css') {
      response.writeHead(200, { 'Content-Type': 'text/css' }).end(css)
      return
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', vaultUrl)
    const isOfMethods = pathname === '/methods'
    const named = searchParams.get('trusted-types')
    const trusted = `require-trusted-types-for 'script'${named === null ? '' : `; trusted-types ${named}`}`
    const policy = isOfMethods ? `${csp}; connect-src ${vaultUrl}; ${trusted}` : csp
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }
    const isPage = isOfMethods || pathname === '/'
    response.writeHead(isPage ? 200 : 404, headers).end(page)
  })
  return listen(server)
}
