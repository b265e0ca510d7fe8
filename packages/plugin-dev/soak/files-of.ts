import { addressOf, extraAddress, type Part, type World } from './world.ts'

/** The files of a plugin, by their path in its folder. */
export type Files = Readonly<Record<string, string>>

/** The files in which a world stands. */
export function filesOf(world: World): Files {
  return {
    '.gitignore': '.tillwright\ndist\n',
    '.env': `PUBLIC_WORD=variable ${world.variable}\n`,
    'plugin.manifest.json': manifestText(world),
    'config/plain.json': plainPreset(world),
    'config/loud.json': JSON.stringify({ headline: `LOUD ${world.loud}` }),
    'config/schema.json': JSON.stringify(schemaOf(world)),
    'config/ui.json': JSON.stringify({ headline: { 'ui:title': `Headline ${world.schema}` } }),
    'mails/mail.json': JSON.stringify({ subject: `mail ${world.mail}` }),
    'public/note.txt': `note ${world.note}`,
    'src/pages/home.tsx': entryModule,
    'src/home.tsx': homeModule(world),
    'src/parts.tsx': partsModule(world.parts),
    'src/style.css': styleText(world),
    ...(world.moduleFault !== 'a module that is gone' && {
      'src/word.ts': `export const word = 'word ${world.word}'\n`,
    }),
    ...(world.extra !== null &&
      world.pluginFault !== 'a page without a module' && { 'src/pages/extra.tsx': extraModule(world.extra) }),
    ...Object.fromEntries(world.parts.map((part, index) => [partPath(part), partModule(world, part, index === 0)])),
  }
}

function manifestText(world: World): string {
  const path = world.pluginFault === 'a path without a slash' ? 'begin' : addressOf(world)
  const text = JSON.stringify(
    {
      pluginId: 'soak',
      name: 'Soak',
      version: `1.0.${world.release}`,
      pages: [
        { id: 'home', path, features: [{ type: 'checkout' }] },
        ...(world.extra === null ? [] : [{ id: 'extra', path: extraAddress(world.extra) }]),
      ],
      configuration: {
        schema: 'config/schema.json',
        uiSchema: 'config/ui.json',
        presets: { plain: 'config/plain.json', loud: 'config/loud.json' },
        defaultPreset: world.defaultPreset,
      },
      templates: { mail: 'mails/mail.json' },
    },
    null,
    2,
  )
  return world.pluginFault === 'half a manifest' ? text.slice(0, text.length / 2) : text
}

function plainPreset({ headline, pluginFault }: World): string {
  if (pluginFault === 'a setting of another type') return JSON.stringify({ headline })
  if (pluginFault === 'half a preset') return '{ "headline": "half'
  return JSON.stringify({ headline: `headline ${headline}` })
}

function schemaOf({ schema }: World) {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { headline: { type: 'string', title: `Headline ${schema}` } },
  }
}

function styleText({ colour, moduleFault }: World): string {
  const broken = moduleFault === 'a style that imports nothing' ? "@import './none.css';\n" : ''
  return `${broken}h1 { color: ${colourOf(colour)} }\n`
}

/** As the browser writes it. */
export const colourOf = (colour: number) => `rgb(${colour % 256}, ${Math.floor(colour / 256)}, 9)`

const entryModule = `import { render } from 'preact'
import { Home } from '../home.tsx'
import '../style.css'
render(<Home />, document.getElementById('app'))
`

const extraModule = (extra: number) => `document.getElementById('app').textContent = 'extra ${extra}'\n`

/** The component whose state is to survive: what was counted and typed. */
function homeModule({ title, moduleFault }: World): string {
  const text = `import { useEffect, useState } from 'preact/hooks'
import { Parts } from './parts.tsx'
import { word } from './word.ts'
${homeFaults[moduleFault ?? ''] ?? ''}
const read = () => JSON.parse(document.getElementById('tillwright-data').textContent)
export function Home() {
  const [count, setCount] = useState(0)
  const [data, setData] = useState(read)
  useEffect(() => {
    const take = () => setData(read())
    take() // what was told before this effect
    document.addEventListener('tillwright:data', take)
    return () => document.removeEventListener('tillwright:data', take)
  }, [])
  return (
    <main>
      <h1>title ${title}</h1>
      <p id="word">{word}</p>
      <Parts />
      <p id="settings">{[data.config.headline, data.templates.mail.subject, data.version].join()}</p>
      <p id="variable">{import.meta.env.PUBLIC_WORD}</p>
      <button onClick={() => setCount(count + 1)}>{count}</button>
      <input name="${moduleFault === 'a field for cards' ? 'cardNumber' : 'note'}" />
    </main>
  )
}
`
  return moduleFault === 'half a component' ? text.slice(0, text.indexOf('</main>')) : text
}

const homeFaults: Readonly<Record<string, string>> = {
  'an import of nothing': "import './none.ts'",
  'an error that is thrown': "setTimeout(() => { throw new Error('thrown') })",
}

function partsModule(parts: readonly Part[]): string {
  const imports = parts.map(({ name }) => `import { Part as ${name.toUpperCase()} } from './parts/${name}.tsx'\n`)
  const items = parts.map(({ name }) => `<${name.toUpperCase()} />`)
  return `${imports.join('')}export const Parts = () => <ul>${items.join('')}</ul>\n`
}

/** Where a part stands. */
export const partPath = ({ name }: Part) => `src/parts/${name}.tsx`

function partModule({ moduleFault }: World, { name, version }: Part, isFirst: boolean): string {
  const broken = isFirst && moduleFault === 'half a part' ? '<b>' : ''
  return `export const Part = () => <li>${broken}${name} ${version}</li>\n`
}
