import { sha256 } from './layout.ts'
import type { NpmPackage } from './npm-packages.ts'
import type { DebianPackage } from './system-files.ts'

/** Components of an image. */
export interface Ingredients {
  version: string
  createdS: number
  /** Node's version, the hash of the program in the image, and of the one that was published, with its symbols. */
  node: { version: string; sha256: string; publishedSha256: string }
  debian: readonly DebianPackage[]
  npm: readonly NpmPackage[]
}

/** The bill of materials of an image, as CycloneDX 1.6 in JSON. The same ingredients give the same text. */
export function sbomOf({ version, createdS, node, debian, npm }: Ingredients): string {
  const components = [
    {
      type: 'platform',
      'bom-ref': 'node',
      name: 'node',
      version: node.version,
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-256', content: node.sha256 }],
      purl: `pkg:generic/node@${node.version}`,
      properties: [{ name: 'tillwright:published-sha256', value: node.publishedSha256 }],
    },
    ...debian.map((each) => {
      const purl = `pkg:deb/debian/${encodeURIComponent(each.name)}@${encodeURIComponent(each.version)}?arch=${each.architecture}`
      const files = each.files.map((value) => ({ name: 'tillwright:file', value }))
      return { type: 'library', 'bom-ref': purl, name: each.name, version: each.version, purl, properties: files }
    }),
    ...npm.map(({ name, version: of, license, place }) => {
      const purl = `pkg:npm/${name.replace('@', '%40')}@${of}`
      const licenses = license === 'NOASSERTION' ? [] : [{ expression: license }]
      const properties = [{ name: 'tillwright:file', value: place }]
      return { type: 'library', 'bom-ref': `${purl}#${place}`, name, version: of, licenses, purl, properties }
    }),
  ]
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(components))}`,
    version: 1,
    metadata: {
      timestamp: new Date(createdS * 1_000).toISOString(),
      component: { type: 'container', 'bom-ref': 'tillwright', name: 'tillwright', version },
    },
    components,
  }
  return `${JSON.stringify(bom, null, 2)}\n`
}

/** A UUID of version 8, made of the beginning of the hash of a text. Source: RFC 9562, 5.8. */
export function uuidOf(text: string): string {
  const hex = sha256(Buffer.from(text))
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
