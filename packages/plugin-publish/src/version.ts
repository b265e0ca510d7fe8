import { type Content, contentHash, deployBody } from './content.ts'
import { listDeployments, type TargetStore } from './remote.ts'

/** How a version is published that is deployed with different content: as its next build, or as it is. */
export type Versioning = 'build' | 'exact'

/**
 * The content under the version that it is published as. A version that is not deployed yet, or deployed with the
 * same content, is kept; otherwise the content becomes its next build: `1.4.0+2`, then `1.4.0+3`. Changes nothing
 * on the platform.
 *
 * @throws {TillwrightError} When the platform does not answer, or refuses.
 */
export async function chooseVersion(content: Content, place: TargetStore, versioning: Versioning): Promise<Content> {
  if (versioning === 'exact') return content
  const { storeId } = place
  const deployments = await listDeployments({ storeId, pluginId: content.pluginId, state: 'live' }, place)
  const versions = versionsToTry(content.version, deployments)
  const candidates = versions.map((version) => withVersion(content, version))
  const same = await Promise.all(candidates.map((candidate) => isDeployed(candidate, place)))
  const known = candidates.find((_, index) => same[index] === true)
  const taken = deployments.map(({ version }) => version)
  return known ?? withVersion(content, nextBuild(content.version, taken))
}

/** The content as another version. */
export function withVersion(content: Content, version: string): Content {
  return { ...content, version, manifest: { ...content.manifest, version } }
}

/** A version for content that is only tried out: before the plugin's own in order, and the same for the same content. */
export function trialOf(content: Content): Content {
  const [release = ''] = content.version.split('+')
  const trial = `trial.x${contentHash(content).slice(0, 12)}`
  return withVersion(content, `${release}${release.includes('-') ? '.' : '-'}${trial}`)
}

/** A deployment, as far as versions are concerned. */
type Deployed = Readonly<{ version: string; state: string }>

/** The versions that may hold the same content: the plugin's own, the active one and the latest build. */
function versionsToTry(version: string, deployments: readonly Deployed[]): string[] {
  const own = deployments.filter((each) => buildNumber(each.version, version) !== null)
  const active = own.find(({ state }) => state === 'active')
  const latest = own.toSorted((a, b) => numberOf(b, version) - numberOf(a, version))[0]
  const wanted = [active, own.find((each) => each.version === version), latest]
  return [...new Set(wanted.flatMap((each) => (each === undefined ? [] : [each.version])))]
}

/** The first free version: the plugin's own, or the build after the latest. */
function nextBuild(version: string, deployed: readonly string[]): string {
  if (!deployed.includes(version)) return version
  const numbers = deployed.map((each) => buildNumber(each, version) ?? 0)
  return buildOf(version, Math.max(...numbers) + 1)
}

function buildOf(version: string, number: number): string {
  return `${version}${version.includes('+') ? '.' : '+'}${number}`
}

function numberOf({ version: deployed }: Deployed, version: string): number {
  return buildNumber(deployed, version) ?? 0
}

/** The build number of `deployed`: 1 for the version itself, `null` if it is no build of it. */
function buildNumber(deployed: string, version: string): number | null {
  if (deployed === version) return 1
  const number = Number(/[.+]([1-9]\d{0,8})$/.exec(deployed)?.[1])
  return number > 1 && deployed === buildOf(version, number) ? number : null
}

/** Whether the platform has exactly this content under this version. */
async function isDeployed(content: Content, { client, storeId, signal }: TargetStore): Promise<boolean> {
  const asked = { ...deployBody(content, storeId), dryRun: true, overwrite: true }
  return (await client.plugins.deploy(asked, { signal })).success
}
