import { createHash } from 'node:crypto'

const settings = {
  url: '/openapi.json',
  documentDownloadType: 'json',
  metaData: { title: 'Tillwright API reference' },
  // Everything is shown in the order and as far as the contract describes it.
  orderSchemaPropertiesBy: 'preserve',
  expandAllSchemaProperties: true,
  // Nothing is asked of anybody else.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  // Requests are not sent from the page: a secret key in a browser is what the API refuses.
  hideTestRequestButton: true,
  hideClientButton: true,
}
const script = `Scalar.createApiReference('#reference', ${JSON.stringify(settings)})`

/** The attribute selectors outweigh those of the renderer, whose own styles come later. */
const style = `
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
  /* The example of a whole answer stands beside it already. */
  .responses-list--tree .property--tree-container.property--level-0 > .property-heading > .property-example[class] {
    display: none;
  }
  /* Seen only when pointed at, it must not take a line of its own. */
  .copy-link-trailing[class][class] { position: absolute }
  /* The fields of an answer stand beside it; this leaves the room to its statuses. */
  .scalar-card-checkbox[class][class] { display: none }
  .markdown[class] :is(th, td) { word-break: normal; overflow-wrap: normal }
  /* A section is given the focus to read on from there; it is not something to operate. */
  section[tabindex='-1']:focus { outline: none }
`

const html = (renderer: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tillwright API reference</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<div id="reference"></div>
<script src="${renderer}"></script>
<script>${script}</script>
</html>
`

const policy = [
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

/** The reference page with its renderer's address, made in the browser from `/openapi.json`. It loads nothing from anywhere else. */
export const referencePage = { html, policy }
