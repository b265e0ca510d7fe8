import type { Protection } from '../browsers/page.ts'

/** Where a card form may find itself. Shop, vault and bank are on three sites in all of them. */
export interface Environment {
  name: EnvironmentName
  protection: Protection
  /** Response headers of the shop's page. */
  headers?: (vaultUrl: string) => Record<string, string>
  /** The shop is in a sandboxed frame of a page on a fourth site, which its publishable key lists or not. */
  parent?: 'listed' | 'unlisted'
  /** Feature that an engine must support for the environment to matter, and the note for one that does not. */
  needs?: { feature: 'isolation' | 'trusted types'; withoutIt: string }
}

export type EnvironmentName =
  | 'each on its own site'
  | 'private window'
  | 'strict protection from tracking'
  | 'no cookies of other sites'
  | 'COOP `same-origin`'
  | 'COEP `require-corp`'
  | 'COEP `credentialless`'
  | 'Trusted Types, strictest policy'
  | 'page in a sandbox'
  | 'page in a sandbox without an origin'
  | 'in a sandboxed frame of a listed origin'
  | 'in a sandboxed frame of another origin'
  | 'all at once'

const sandbox = 'sandbox allow-scripts allow-same-origin allow-forms'

const strictest = (vaultUrl: string) =>
  `default-src 'none'; script-src 'self' ${vaultUrl}/v1/; frame-src ${vaultUrl}/v1/; connect-src 'self'; base-uri 'none'; ` +
  "form-action 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const opens = { 'Cross-Origin-Opener-Policy': 'same-origin' }

/** The rows of the table, as the documentation has them. */
export const environments: readonly Environment[] = [
  { name: 'each on its own site', protection: 'default' },
  { name: 'private window', protection: 'private' },
  { name: 'strict protection from tracking', protection: 'strict' },
  { name: 'no cookies of other sites', protection: 'no third parties' },
  { name: 'COOP `same-origin`', protection: 'private', headers: () => opens },
  {
    name: 'COEP `require-corp`',
    protection: 'private',
    headers: () => ({ ...opens, 'Cross-Origin-Embedder-Policy': 'require-corp' }),
    needs: { feature: 'isolation', withoutIt: 'knows no COEP' },
  },
  {
    name: 'COEP `credentialless`',
    protection: 'private',
    headers: () => ({ ...opens, 'Cross-Origin-Embedder-Policy': 'credentialless' }),
    needs: { feature: 'isolation', withoutIt: 'does not know it, and leaves it out' },
  },
  {
    name: 'Trusted Types, strictest policy',
    protection: 'private',
    headers: (vaultUrl) => ({ 'Content-Security-Policy': strictest(vaultUrl) }),
    needs: { feature: 'trusted types', withoutIt: 'knows no Trusted Types' },
  },
  { name: 'page in a sandbox', protection: 'private', headers: () => ({ 'Content-Security-Policy': sandbox }) },
  {
    name: 'page in a sandbox without an origin',
    protection: 'private',
    headers: () => ({ 'Content-Security-Policy': 'sandbox allow-scripts' }),
  },
  { name: 'in a sandboxed frame of a listed origin', protection: 'private', parent: 'listed' },
  { name: 'in a sandboxed frame of another origin', protection: 'private', parent: 'unlisted' },
  {
    name: 'all at once',
    protection: 'strictest',
    headers: (vaultUrl) => ({ ...opens, 'Content-Security-Policy': `${strictest(vaultUrl)}; ${sandbox}` }),
    parent: 'listed',
  },
]
