import { createHash } from 'node:crypto'
import { type Environment, exampleId } from '@tillwright/contract'
import { tokensCss } from '@tillwright/design-tokens'

/** The account of a local platform, for requests from the reference page. */
export interface LocalAccount {
  apiKey: string
  publishableKey: string
  accountId: string
  storeId: string
  productId: string
  paymentFlowId: string
  funnelId: string
  stepId: string
}

/** The facts of a platform that its reference page shows. */
export interface ReferencePageOptions {
  /** The address of the renderer's script. */
  rendererPath: string
  version: string
  environment: Environment
  /** With an account, requests can be sent from the page, with its key filled in; `null` outside `local`. */
  account: LocalAccount | null
}

/** A page with its Content-Security-Policy. */
export interface ReferencePage {
  html: string
  policy: string
}

/** The reference page, made in the browser from `/openapi.json`. It loads nothing from anywhere else. */
export function referencePage({ rendererPath, version, environment, account }: ReferencePageOptions): ReferencePage {
  const script = account === null ? plainScript : tryingScript(account)
  return {
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tillwright API reference</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<header class="own">
<a href="/">Tillwright</a> <span>API reference</span> <small>${version}, ${environment}</small>
<nav><a href="/docs/errors">Errors</a> <a href="/openapi.json">OpenAPI</a></nav>
</header>
<div id="reference"></div>
<script src="${rendererPath}"></script>
<script>${script}</script>
</html>
`,
    policy: policyFor(script),
  }
}

const settings = {
  documentDownloadType: 'none', // the page's header has the link
  metaData: { title: 'Tillwright API reference' },
  // The samples of the document are the only ones: curl, and the client that exists.
  hiddenClients: true,
  // Everything is shown in the order and as far as the contract describes it.
  orderSchemaPropertiesBy: 'preserve',
  expandAllSchemaProperties: true,
  // Nothing is asked of anybody else.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
}

/** Requests are not sent from the page: a secret key in a browser is what the API refuses. */
const plainScript = `Scalar.createApiReference('#reference', ${JSON.stringify({
  ...settings,
  url: '/openapi.json',
  hideTestRequestButton: true,
})})`

/** The examples name objects that do not exist. Where the local account has one of the kind, its id takes their place. */
function tryingScript({ apiKey, publishableKey, ...ids }: LocalAccount): string {
  const replaced = Object.entries(kinds).map(([name, kind]) => [exampleId(kind), ids[name as keyof typeof kinds]]) // its own keys
  const trying = {
    ...settings,
    hideTestRequestButton: false,
    authentication: {
      preferredSecurityScheme: 'apiKey',
      securitySchemes: { apiKey: { token: apiKey }, publishableKey: { token: publishableKey } },
    },
  }
  return `fetch('/openapi.json').then((answer) => answer.text()).then((text) => {
  for (const [example, own] of ${JSON.stringify(replaced)}) text = text.replaceAll(example, own)
  const content = JSON.parse(text)
  // With the example of a key, the second request of the page would be refused: the key was used for the first one.
  for (const operation of Object.values(content.paths).flatMap(Object.values))
    for (const parameter of operation.parameters ?? []) if (parameter.name === 'Idempotency-Key') { delete parameter.example; delete parameter.schema.examples }
  Scalar.createApiReference('#reference', { ...${JSON.stringify(trying)}, content })
})`
}

/** The kind of object of each id. */
const kinds = {
  accountId: 'account',
  storeId: 'store',
  productId: 'product',
  paymentFlowId: 'paymentFlow',
  funnelId: 'funnel',
  stepId: 'funnelStep',
} as const

/** The attribute selectors outweigh those of the renderer, whose own styles come later. */
const style = `
  :root { --scalar-custom-header-height: 49px }
  ${tokensCss(['canvas', 'surface', 'sunken', 'ink', 'ink-soft', 'line', 'accent', 'font', 'mono'])}
  body[class].light-mode { color-scheme: light }
  body[class].dark-mode { color-scheme: dark }
  body[class] {
    --scalar-color-accent: var(--accent); --scalar-link-color: var(--accent); --scalar-color-1: var(--ink);
    --scalar-color-2: var(--ink-soft); --scalar-border-color: var(--line); --scalar-background-1: var(--canvas);
    --scalar-background-2: var(--surface); --scalar-background-3: var(--sunken);
    --scalar-font: var(--font); --scalar-font-code: var(--mono);
  }
  body { margin: 0 }
  .own {
    box-sizing: border-box; position: sticky; top: 0; z-index: 100; height: 49px; padding: 0 16px;
    display: flex; align-items: center; gap: 8px; white-space: nowrap; font: 15px/1.2 var(--font);
    background: var(--canvas); color: var(--ink); border-bottom: 1px solid var(--line);
  }
  .own a { color: var(--accent); text-decoration: none; border-radius: 4px }
  .own > a { font-weight: 700 }
  .own small { color: var(--ink-soft); overflow: hidden; text-overflow: ellipsis }
  .own nav { margin-inline-start: auto; display: flex; gap: 16px }
  .own a:hover { text-decoration: underline }
  .own a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
  @media (max-width: 30rem) { .own span { display: none } }
  /* The renderer's name is in the packages' licences. */
  a[href*='scalar.com'][class] { display: none }
  /* Defaults and examples are there to be read, not to be looked for. */
  :is(.property-default, .property-example)[class][class] {
    display: inline-flex; flex-direction: row; align-items: baseline; gap: 4px; max-width: 100%;
  }
  :is(.property-default, .property-example)[class][class] > button { text-decoration: none; pointer-events: none }
  :is(.property-default, .property-example)[class][class] > button span { border: 0 }
  :is(.property-default-value-list, .property-example-value-list)[class][class] {
    display: flex; flex-flow: row wrap; position: static; transform: none; min-width: 0; max-width: 100%;
    padding: 0; border: 0; background: none; box-shadow: none;
  }
  :is(.property-default-value, .property-example-value)[class][class] {
    width: auto; padding: 0 4px; text-align: left;
  }
  :is(.property-default-value, .property-example-value)[class][class] span {
    white-space: normal; overflow-wrap: anywhere;
  }
  :is(.property-default-value, .property-example-value)[class][class] svg { display: none }
  .property-default-value span:empty::before { content: '""' }
  /* The example of a whole answer stands next to it already. */
  .responses-list--tree .property--tree-container.property--level-0 > .property-heading > .property-example[class] {
    display: none;
  }
  /* Seen only when pointed at, it must not take a line of its own. */
  .copy-link-trailing[class][class] { position: absolute }
  /* The fields of an answer stand next to it; this leaves the room to its statuses. */
  .scalar-card-checkbox[class][class] { display: none }
  .markdown[class] :is(th, td) { word-break: normal; overflow-wrap: normal }
  /* A section is given the focus to read on from there; it is not something to operate. */
  section[tabindex='-1']:focus { outline: none }
`

function policyFor(script: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'self' 'unsafe-inline'", // the renderer writes its own styles
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
