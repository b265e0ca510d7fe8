import type { Client } from '@tillwright/client'
import type { ListedDeployment } from '@tillwright/plugin-publish'
import { facts, table } from '../terminal/align.ts'
import { showBytes } from '../terminal/show-bytes.ts'

type View = Awaited<ReturnType<Client['pluginManagement']['view']>>

/** Deployments, a line each. */
export function showDeployments(deployments: readonly ListedDeployment[]): string {
  if (deployments.length === 0) return 'There are no deployments yet; make one with "tillwright publish".\n'
  return table(
    ['id', 'plugin', 'version', 'state', 'size', 'deployed', 'url'],
    deployments.map(({ id, pluginId, version, state, size, deployedAt, url }) => [
      id,
      pluginId,
      version,
      state,
      showBytes(size),
      deployedAt,
      url,
    ]),
  )
}

/** One deployment. */
export function showDeployment({ id, pluginId, version, state, url, restorableUntil }: ListedDeployment): string {
  return facts([
    ['deployment', id],
    ['plugin', `${pluginId} ${version}`],
    ['state', state],
    ['url', url],
    ...(restorableUntil === null ? [] : [['restorable until', restorableUntil] as const]),
  ])
}

/** One deployment with all that belongs to it. */
export function showView({ deployment, files, aliases, routes, revision }: View): string {
  return [
    showDeployment(deployment),
    facts([
      ['settings', `revision ${revision}`],
      ['aliases', aliases.map(({ url }) => url).join(', ') || 'none'],
      ['domains', routes.map(({ hostname, path }) => hostname + path).join(', ') || 'none'],
    ]),
    table(
      ['file', 'size', 'type'],
      files.map(({ path, size, contentType }) => [path, showBytes(size), contentType]),
    ),
  ].join('\n')
}
