import type { FileText } from '../read/fix-plugin.ts'

/** The settings that the first module shows. */
export const starterConfiguration = {
  schema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      headline: { type: 'string', title: 'Headline', default: 'Hello' },
      colour: { type: 'string', format: 'color', title: 'Colour of the headline', default: '#224466' },
    },
  },
  presets: { standard: { headline: 'Hello', colour: '#224466' } },
}

const text = `// The platform writes the data of a page into its document; a page that is opened from a file has none.
const data = document.getElementById('tillwright-data')?.textContent
const config: Tillwright.Config = data ? JSON.parse(data).config : {}

const headline = document.createElement('h1')
headline.textContent = config.headline ?? 'Hello'
headline.style.color = config.colour ?? '#224466'
document.getElementById('app')?.append(headline)
`

/** The first module of a plugin: it shows a setting, and needs no package. */
export function starterModule(mode: 'direct-mode' | 'spa-mode'): FileText {
  return { path: mode === 'spa-mode' ? 'src/app.ts' : 'src/pages/home.ts', text }
}
