import { hash } from 'node:crypto'
import type { Client } from '@tillwright/client'
import type { Page } from 'playwright-core'

const versions = [
  { version: '1.3.0', accent: '#7a3b2e', title: 'Mugs for mornings', pages: ['checkout'] },
  { version: '1.4.0', accent: '#1f5f4a', title: 'Mugs for slow mornings', pages: ['checkout', 'thanks'] },
  { version: '1.5.0', accent: '#2a4b8d', title: 'Mugs for slow mornings', pages: ['checkout', 'offer', 'thanks'] },
] as const

const windows = { desktop: { width: 1_280, height: 800 }, mobile: { width: 390, height: 693 } } as const

/** Deploys a few versions of a shop's checkout with their pictures, on a domain and under an alias. */
export async function deployPlugin(client: Client, page: Page, { storeId }: { storeId: string }): Promise<void> {
  for (const { version, accent, title, pages } of versions) {
    const { deploymentId, url } = await client.plugins.deploy({
      storeId,
      manifest: {
        pluginId: 'one-page-checkout',
        name: 'One-page checkout',
        version,
        mode: 'spa-mode',
        pages: pages.map((id) => ({ id, path: `/${id}`, name: id[0]?.toUpperCase() + id.slice(1) })),
      },
      inlineAssets: [
        { path: 'index.html', content: documentOf(title, accent) },
        { path: `assets/app-${version}.js`, content: `// ${version}\n${'export {}\n'.repeat(400 * version.length)}` },
      ],
      demoPreviews: {
        pages: pages.map((id) => ({ path: `/${id}`, previews: [{ id, metadata: { status: 'pending' } }] })),
      },
      sourceData: { commit: hash('sha256', version).slice(0, 40), branch: 'main' },
    })
    if (deploymentId === null || url === null) throw new Error('Its assets are missing.')
    const schema = { type: 'object', properties: { accent: { type: 'string', default: accent } } }
    await client.plugins.syncConfig({ deploymentId, schema, presets: { light: { accent } } })
    for (const id of pages) await takePictures(client, page, { deploymentId, url, id })
  }
  const { storeId: _, ...place } = { storeId, pluginId: 'one-page-checkout' }
  await client.plugins.promoteToCustomDomain({ storeId, hostname: 'pay.mugs.example', path: '/', ...place })
  await client.pluginManagement.setAlias({ storeId, name: 'spring-sale', ...place })
}

interface Place {
  deploymentId: string
  url: string
  id: string
}

async function takePictures(client: Client, page: Page, { deploymentId, url, id }: Place): Promise<void> {
  const taken = { desktop: '', mobile: '' }
  for (const window of ['desktop', 'mobile'] as const) {
    await page.setViewportSize(windows[window])
    await page.goto(`${url}/${id}`)
    const bytes = await page.screenshot()
    const sha256 = hash('sha256', bytes)
    await client.plugins.uploadAssets({
      assets: [{ sha256, size: bytes.length, content: bytes.toString('base64') }],
    })
    taken[window] = sha256
  }
  await client.pluginManagement.updatePreview({ deploymentId, previewId: id, status: 'ready', screenshots: taken })
}

function documentOf(title: string, accent: string): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{margin:0;font:18px/1.5 Georgia,serif;color:#222;background:#faf7f2}main{max-width:34rem;margin:3rem auto;padding:0 1.5rem}
header{background:${accent};color:#fff;padding:1.5rem}label{display:block;margin:1rem 0}input{width:100%;box-sizing:border-box;padding:.75rem;border:1px solid #bbb}
button{background:${accent};color:#fff;border:0;padding:1rem 2rem;font:inherit}</style>
<header>${title}</header><main><h1>Your order</h1><p>Stoneware mug, 350 ml: $19.00</p>
<label>E-mail<input></label><label>Card<input></label><button>Pay $19.00</button></main></html>`
}
