import { createHash } from 'node:crypto'
import type { Environment } from '@tillwright/contract'

/** The platform details on the front page. */
export interface FrontPageOptions {
  version: string
  environment: Environment
  apiUrl: string
  vaultUrl: string
}

/** The answer at `/`: a page for browsers, the same as JSON for programs. Neither holds a key. */
export interface FrontPage {
  html: string
  /** The page's Content-Security-Policy. */
  policy: string
  json: { name: string; version: string; environment: string; links: Record<string, string> }
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 44rem; margin: 3rem auto; padding: 0 1.25rem }
  h1 { font-size: 1.5rem; margin: 0 }
  h2 { font-size: 1rem; margin: 2rem 0 .25rem }
  p, dl { margin: .25rem 0 0 }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem }
  dt { font-weight: 600 }
  dd { margin: 0; overflow-wrap: anywhere }
  pre { padding: .75rem 1rem; border-radius: .5rem; overflow-x: auto; background: color-mix(in srgb, CanvasText 8%, Canvas) }
  small { font-weight: normal; opacity: .7 }
  @media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: .75rem } }
`

/** Writes the front page: what runs here, and where everything is. */
export function frontPage({ version, environment, apiUrl, vaultUrl }: FrontPageOptions): FrontPage {
  const places: [name: string, url: string, what: string][] = [
    ['Reference', `${apiUrl}/docs`, 'every operation, field and example'],
    ['Errors', `${apiUrl}/docs/errors`, 'every error code, with its cause and what to do'],
    ['OpenAPI 3.1', `${apiUrl}/openapi.json`, 'the same for programs'],
    ['Plugin manifest', `${apiUrl}/schemas/plugin.json`, 'the JSON Schema of plugin.manifest.json'],
    ['API', `${apiUrl}/api/public/v1`, 'where requests with an API key go'],
    ['Vault', vaultUrl, 'the origin of the card form'],
    ['Health', `${apiUrl}/readyz`, 'whether the platform and its database answer'],
  ]
  if (environment !== 'production')
    places.push(['3-D Secure', `${apiUrl}/acs/timeline`, 'what the simulated bank was asked, message by message'])
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tillwright API</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<h1>Tillwright <small>${version}, ${environment}</small></h1>
<p>This is the API of a commerce and payments platform. It answers programs; the pages for people are below.</p>
<dl>
${places.map(([name, url, what]) => `<dt>${name}</dt><dd><a href="${url}">${url}</a><br>${what}</dd>`).join('\n')}
</dl>
${environment === 'local' ? firstRequest(apiUrl) : ''}</html>
`
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    html,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    json: {
      name: 'Tillwright',
      version,
      environment,
      links: Object.fromEntries(places.map(([name, url]) => [name, url])),
    },
  }
}

/** The key is in a file that only this machine's user can read, so the page names the file and not the key. */
function firstRequest(apiUrl: string): string {
  return `<h2>The first request</h2>
<p>Keys and ids are in <code>.tillwright/local.json</code>, in the folder that the platform was started in:</p>
<pre>key=$(node -p "JSON.parse(fs.readFileSync('.tillwright/local.json')).apiKey")
curl ${apiUrl}/api/public/v1/auth/test -H "Authorization: Bearer $key"</pre>
`
}
