import { join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { bundle, bundleShop } from '../bundle.ts'
import { html, json, script, SHOP_ORIGIN, style, type Contender } from '../contender.ts'
import { fetchOnce } from '../fetch-once.ts'

const LOADER = '2.9.0'
const SCRIPT = '2.62.1'
const FRAME_ORIGIN = 'https://ui-components.evervault.com'
const SCRIPT_URL = 'https://js.evervault.com/v2'

/** The npm packages of the loader and the frame's React, as in the source's catalogue. */
const packages = {
  '@evervault/js': LOADER,
  asn1js: '3.0.7',
  'crc-32': '1.2.2',
  deepmerge: '4.3.1',
  events: '3.3.0',
  imask: '7.6.1',
  'jsonpath-rfc9535': '1.3.0',
  jss: '10.10.0',
  'jss-preset-default': '10.10.0',
  react: '19.2.7',
  'react-dom': '19.2.7',
}

const shop = `
import { loadEvervault } from '@evervault/js'
loadEvervault('team_bench', 'app_bench').then((evervault) => evervault.ui.card().mount('#card'))`

/** Evervault's loader from npm, and the script and the frame that it loads, built from their published source. */
export async function evervault(): Promise<Contender> {
  const folder = await fetchOnce({
    name: `evervault-${SCRIPT}`,
    packages,
    source: {
      repository: 'https://github.com/evervault/evervault-js',
      commit: 'e1702c89399103e879f0cd9dcf6b18629d9a5e08', // has SCRIPT as the version of packages/browser
    },
  })
  const [page, sdk, frame] = await Promise.all([bundleShop(shop, folder), buildScript(folder), buildFrame(folder)])
  const document = `<!doctype html><html lang="en"><head><meta charset="UTF-8"><title></title>
    <script type="module" src="/frame.js"></script><link rel="stylesheet" href="/frame.css"></head>
    <body><div id="root"></div></body></html>`
  return {
    name: 'Evervault',
    version: SCRIPT,
    markup: '<div id="card"></div><script src="/shop.js"></script>',
    field: '#number',
    contents:
      `The loader \`@evervault/js\` ${LOADER} from npm (the package \`@evervault/browser\` is empty), and the script, ` +
      'document, script and style of the card frame, built from the published source. The time holds made-up keys.',
    answer: ({ origin, pathname, href }) => {
      if (origin === SHOP_ORIGIN) return pathname === '/shop.js' ? script(page.script) : null
      if (href === SCRIPT_URL) return script(sdk)
      if (origin !== FRAME_ORIGIN) return json({})
      if (pathname === '/frame.js') return script(frame.script)
      return pathname === '/frame.css' ? style(frame.style) : html(document)
    },
    close: () => Promise.resolve(),
  }
}

async function buildScript(folder: string): Promise<string> {
  const contents = "import Evervault from './lib/main.ts'\nwindow.Evervault = Evervault"
  const stdin = { contents, resolveDir: join(folder, 'source/packages/browser') }
  return (await bundle({ ...workspace(folder), stdin })).script
}

function buildFrame(folder: string) {
  return bundle({
    ...workspace(folder),
    entryPoints: { frame: join(folder, 'source/packages/ui-components/src/main.tsx') },
    jsx: 'automatic',
    define: {
      'import.meta.env': JSON.stringify({
        VITE_EVERVAULT_JS_URL: SCRIPT_URL,
        VITE_KEYS_URL: 'https://keys.evervault.com',
        VITE_API_URL: 'https://api.evervault.com',
      }),
    },
  })
}

/** Where the source's packages find each other and those of npm. */
function workspace(folder: string): BuildOptions {
  const source = join(folder, 'source/packages')
  return {
    nodePaths: [join(folder, 'node_modules')],
    tsconfigRaw: {}, // theirs extends a package of their workspace
    alias: {
      '@evervault/card-validator': join(source, 'card-validator/index.ts'),
      '@evervault/react': join(source, 'react/lib/main.tsx'),
      'shared/createBrand': join(source, 'shared/src/createBrand.ts'),
      'shared/getAppSDKConfig': join(source, 'shared/src/getAppSDKConfig.ts'),
      shared: join(source, 'shared/src/index.ts'),
      themes: join(source, 'themes/index.ts'),
      types: join(source, 'types/index.ts'),
    },
  }
}
