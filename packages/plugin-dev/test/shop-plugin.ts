import type { StageFiles } from './dev-stage.ts'

/** The manifest of a plugin with two pages and two presets. */
export const shopManifest = {
  pluginId: 'shop',
  name: 'Shop',
  version: '1.0.0',
  pages: [
    { id: 'pay', path: '/', name: 'Pay', features: [{ type: 'checkout' }] },
    { id: 'thanks', path: '/thanks/:orderId', name: 'Thanks', features: [{ type: 'thank_you' }] },
  ],
  configuration: {
    schema: { type: 'object', properties: { headline: { type: 'string' } } },
    presets: { plain: 'config/plain.json', loud: { headline: 'LOUD' } },
  },
  templates: { mail: { subject: 'Thanks' } },
} as const

/** The component of its first page: a counter, a field, and a headline from the settings. */
export const payModule = `import { useEffect, useState } from 'preact/hooks'
import { word } from './word.ts'
const read = () => JSON.parse(document.getElementById('tillwright-data')!.textContent!).config
export function Pay() {
  const [count, setCount] = useState(0)
  const [config, setConfig] = useState(read)
  useEffect(() => {
    const take = (event: Event) => setConfig((event as CustomEvent).detail.config)
    document.addEventListener('tillwright:data', take)
    return () => document.removeEventListener('tillwright:data', take)
  }, [])
  return (
    <main>
      <h1>{config.headline}</h1>
      <p id="word">{word}</p>
      <button onClick={() => setCount(count + 1)}>clicked {count}</button>
      <input name="email" />
    </main>
  )
}
`

/** A plugin with what is to survive a change, and what is to follow it. */
export const shopFiles: StageFiles = {
  'plugin.manifest.json': shopManifest,
  'config/plain.json': { headline: 'Welcome' },
  'src/pages/pay.tsx': `import { render } from 'preact'
import { Pay } from '../pay.tsx'
import '../style.css'
render(<Pay />, document.getElementById('app')!)
`,
  'src/pay.tsx': payModule,
  'src/word.ts': "export const word = 'first'\n",
  'src/style.css': 'h1 { color: rgb(1, 2, 3) }\n',
  'src/pages/thanks.tsx': "document.getElementById('app')!.textContent = 'Thank you'\n",
  'public/robots.txt': 'none',
}
