import { createHash } from 'node:crypto'
import { errorKinds, errorMeanings, type ErrorCode } from '@tillwright/contract'

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
  section { padding: .75rem 1rem; border-radius: .5rem }
  section:target { background: color-mix(in srgb, Highlight 25%, transparent) }
  h2 { font-size: 1rem; margin: 0 }
  p { margin: .25rem 0 0 }
  small { opacity: .7; font-weight: normal }
`
const codes = Object.keys(errorKinds) as ErrorCode[] // the keys of the table are its codes

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tillwright API errors</title>
<style>${style}</style>
<h1>Errors</h1>
<p>Every answer that is not a success carries one of these codes. Branch on the code: messages may be reworded.
<a href="/docs">Back to the reference</a></p>
${codes.map(section).join('\n')}
</html>
`

/** The page that every error's `docUrl` points at: one anchor for each code. */
export const errorsPage = {
  html,
  policy: `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'`,
}

function section(code: ErrorCode): string {
  const { status, type } = errorKinds[code]
  const meaning = errorMeanings[code].replaceAll(/`([^`]*)`/g, '<code>$1</code>')
  return `<section id="${code}"><h2>${code} <small>${status}, ${type}</small></h2><p>${meaning}</p></section>`
}
