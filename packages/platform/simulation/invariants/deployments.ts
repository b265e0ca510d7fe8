import type { Town } from '../world/people.ts'
import type { Site } from '../world/platforms.ts'
import { type Bundle, DOCUMENT, filesOf, PLUGIN_ID, type Visit } from '../world/plugin.ts'

interface Looking {
  site: Site
  town: Town
}

/**
 * Deployments are complete: each has all files of one bundle, and the blob store has their bytes. Acknowledged
 * deployments exist, the last one activated is active, and each has one event.
 */
export function wrongDeployments({ site, town }: Looking): string[] {
  const { plugin } = town.memory
  const rows = deploymentsOf(site)
  const lost = [...plugin.deployed.keys()].filter((id) => !rows.has(id))
  const visits = plugin.visits.flatMap((visit) => wrongVisit(visit, { site, town }))
  return [
    ...plugin.refused,
    ...lost.map((id) => `${id} was acknowledged as deployed, and is on no record`),
    ...[...rows.values()].flatMap((row) => wrongDeployment(row, { site, town })),
    ...wrongActivations({ site, town }),
    ...visits,
  ]
}

interface DeploymentRow {
  id: string
  version: string
  /** SHA-256 by path. */
  files: Map<string, string>
}

function deploymentsOf({ server }: Site): Map<string, DeploymentRow> {
  const files = Map.groupBy(
    server.rows('SELECT deployment_id, path, sha256 FROM plugin_files', []),
    ({ deployment_id: id }) => id,
  )
  const rows = server.rows('SELECT id, version FROM plugin_deployments WHERE plugin_id = ? ORDER BY id', [PLUGIN_ID])
  return new Map(
    rows.map(({ id, version }) => [
      String(id),
      {
        id: String(id),
        version: String(version),
        files: new Map((files.get(id ?? '') ?? []).map(({ path, sha256 }) => [String(path), String(sha256)])),
      },
    ]),
  )
}

function wrongDeployment({ id, version, files }: DeploymentRow, { site, town }: Looking): string[] {
  const { sent, deployed } = town.memory.plugin
  const known = deployed.get(id)?.bundle
  const isOf = (bundle: Bundle) =>
    bundle.version === version &&
    bundle.files.size === files.size &&
    filesOf(bundle).every(({ path, sha256 }) => files.get(path) === sha256)
  const count = eventsOf(id, 's_plugin_deployed', site)
  const gone = [...files].filter(([, sha256]) => !site.files.has(sha256))
  return [
    ...(sent.some(isOf) ? [] : [`${id} of ${version} has ${files.size} files, which nobody has deployed like that`]),
    ...(known === undefined || isOf(known) ? [] : [`${id} was acknowledged, and has other files`]),
    ...(count === 1 || id === first(town) ? [] : [`${id} was told as deployed ${count} times`]),
    ...gone.map(([path]) => `${id} has ${path}, whose bytes are gone`),
  ]
}

/** The id of the deployment that the shop starts with. */
function first({ shop }: Town): string {
  return shop.firstDeployment.id
}

function eventsOf(deploymentId: string, type: string, { server }: Site): number {
  const [row] = server.rows(
    `SELECT count(*) AS n FROM events WHERE event_type = ? AND properties ->> 'deploymentId' = ?`,
    [type, deploymentId],
  )
  return Number(row?.['n'])
}

/** The activation numbers of a deployment, in ascending order. */
function numbersOf(deploymentId: string, { server }: Site): number[] {
  return server
    .rows('SELECT number FROM plugin_activation_log WHERE deployment_id = ? ORDER BY number', [deploymentId])
    .map(({ number }) => Number(number))
}

function wrongActivations({ site, town }: Looking): string[] {
  const log = site.server.rows(
    'SELECT number, deployment_id FROM plugin_activation_log WHERE plugin_id = ? ORDER BY number',
    [PLUGIN_ID],
  )
  const [active] = site.server.rows(
    `SELECT a.deployment_id, d.archived_at FROM plugin_activations a
      JOIN plugin_deployments d ON d.id = a.deployment_id WHERE a.plugin_id = ?`,
    [PLUGIN_ID],
  )
  const last = log.at(-1)?.['deployment_id']
  const isGap = log.some(({ number }, at) => number !== at + 1)
  return [
    ...(isGap ? ['the log of activations has a gap'] : []),
    ...(active?.['archived_at'] === null
      ? []
      : [`${String(active?.['deployment_id'])} is active, and was overwritten`]),
    ...(active?.['deployment_id'] === last
      ? []
      : [`${String(active?.['deployment_id'])} is active, and ${String(last)} was activated last`]),
    ...town.memory.plugin.activated
      .filter(({ deploymentId }) => numbersOf(deploymentId, site).length === 0)
      .map(({ deploymentId }) => `${deploymentId} was acknowledged as active, and never was`),
  ]
}

/**
 * A page and all the files it names are of one version, byte for byte, and that version was active or belongs to the
 * host.
 */
function wrongVisit(visit: Visit, { site, town }: Looking): string[] {
  const { html, status, host, assets, isLive } = visit
  const { sent, deployed } = town.memory.plugin
  if (status !== 200) return [`the page of ${host} was answered ${status}`]
  const [data, json = '{}'] = /<script type="application\/json" id="tillwright-data">(.*?)<\/script>/s.exec(html) ?? [
    '',
  ]
  const { deploymentId, version }: { deploymentId: string; version: string } = JSON.parse(json)
  const document = html.replace(data, '').replace('<base href="/">', '')
  const bundle = sent.find((each) => each.version === version && each.files.get(DOCUMENT) === document)
  if (bundle === undefined) return [`${host} showed a document of ${version} that nobody has deployed: ${document}`]
  const known = deployed.get(deploymentId)?.bundle ?? bundle
  const wrong = assets.filter(({ path, status: answered, text }) => answered !== 200 || text !== bundle.files.get(path))
  return [
    ...(known.files.get(DOCUMENT) === document ? [] : [`${host} showed ${deploymentId} with another document`]),
    ...(assets.length === (isLive ? bundle.files.size - 2 : bundle.files.size - 1)
      ? []
      : [`the page of ${host} named ${assets.length} files`]),
    ...wrong.map(
      ({ path, status: answered }) => `${host} answered ${answered} for ${path} of ${version}, or other bytes`,
    ),
    ...(isLive ? staleVisit(deploymentId, visit, { site, town }) : []),
  ]
}

/** A page shows the deployment last acknowledged as active before it was opened, or a later one. */
function staleVisit(deploymentId: string, { fromMs }: Visit, { site, town }: Looking): string[] {
  const shown = numbersOf(deploymentId, site).at(-1) ?? 0
  return town.memory.plugin.activated
    .filter(({ atMs }) => atMs < fromMs)
    .filter((earlier) => (numbersOf(earlier.deploymentId, site)[0] ?? 0) > shown)
    .map((earlier) => `${deploymentId} was shown after ${earlier.deploymentId} had been acknowledged as active`)
}

/** Acknowledged settings of the plugin are in their deployment, and in those that took them over. */
export function lostPluginSettings({ site, town }: Looking): string[] {
  const { settings, deployed } = town.memory.plugin
  const [live, origins] = [valuesOf(site), originsOf(site)]
  const valueOf = (id: string, { kind, setting, name }: (typeof settings)[number]) =>
    live.get(`${id} ${kind} ${setting}`)?.[name] ?? 0
  return settings.flatMap((written) => {
    const { deploymentId, value, ackedMs, kind, setting, name } = written
    // Deployments that started from these settings, and deployments that replaced one that did.
    const heirs = origins.filter(({ from, isCarried, id }) => {
      if (from !== deploymentId) return false
      return !isCarried || ackedMs < (deployed.get(id)?.sentMs ?? 0)
    })
    return [deploymentId, ...heirs.map(({ id }) => id)]
      .filter((id) => valueOf(id, written) < value)
      .map(
        (id) =>
          `${kind} ${setting} of ${deploymentId}: ${name} = ${value} was acknowledged, and it is ${valueOf(id, written)} in ${id}`,
      )
  })
}

/** The live value of each setting, by deployment, kind and name. */
function valuesOf({ server }: Site): Map<string, Record<string, number>> {
  const rows = server.rows('SELECT deployment_id, kind, name, value FROM plugin_settings ORDER BY revision', [])
  return new Map(
    rows.map((row) => [
      `${String(row['deployment_id'])} ${String(row['kind'])} ${String(row['name'])}`,
      JSON.parse(String(row['value'])) ?? {},
    ]),
  )
}

/**
 * A deployment, and the one whose settings it took over. `isCarried`: as the new build of the same version, because
 * that one was active.
 */
interface Origin {
  id: string
  from: string
  isCarried: boolean
}

function originsOf({ server }: Site): Origin[] {
  return server
    .rows(
      `SELECT d.id, p.deployment_id AS before, 1 AS carried FROM plugin_deployments d
         JOIN plugin_activation_log l ON l.deployment_id = d.id AND l.activated_at = d.created_at
         JOIN plugin_activation_log p ON p.plugin_id = l.plugin_id AND p.number = l.number - 1
         WHERE NOT EXISTS (SELECT 1 FROM plugin_deployments o WHERE o.version = d.version AND o.id <> d.id)
       UNION ALL SELECT d.id, o.id AS before, 0 AS carried FROM plugin_deployments d
         JOIN plugin_deployments o ON o.plugin_id = d.plugin_id AND o.version = d.version
           AND o.archived_at = d.created_at AND o.id <> d.id`,
      [],
    )
    .map(({ id, before, carried }) => ({ id: String(id), from: String(before), isCarried: carried === 1 }))
}

/** Bytes that belong to no deployment are gone a day after their upload, from the blob store and from all rows. */
export function leftBlobs({ server, files }: Site): string[] {
  const named = new Set(server.rows('SELECT sha256 FROM plugin_files', []).map(({ sha256 }) => String(sha256)))
  const left = [...files.keys()].filter((sha256) => !named.has(sha256))
  const rows = server.rows(
    `SELECT sha256 FROM plugin_blobs WHERE sha256 NOT IN (SELECT sha256 FROM plugin_files)
     UNION SELECT sha256 FROM plugin_assets WHERE sha256 NOT IN (SELECT sha256 FROM plugin_files)`,
    [],
  )
  return [
    ...left.map((sha256) => `the bytes ${sha256} are still there, and no deployment has them`),
    ...rows.map(({ sha256 }) => `${String(sha256)} is still on record, and no deployment has it`),
  ]
}
