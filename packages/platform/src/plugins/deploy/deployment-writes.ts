import type { NewDeployment, PluginManifest } from '@tillwright/contract'
import type { Call, Write } from '../../call.ts'
import { emit } from '../../events/emit.ts'
import { activationWrites } from '../deployments/activation.ts'
import type { Deployment } from '../deployments/deployments.ts'
import { archive, movePointers } from '../deployments/stand-for-version.ts'
import { carrySettings, takeOverSettings } from '../settings/carry-settings.ts'
import type { DeployedFile } from './read-files.ts'

/** A deployment to be recorded. */
export interface DeploymentParts {
  deployment: Deployment
  /** The one whose place it takes, or `null`. */
  former: Deployment | null
  /** Where `former` is `null`, the one whose settings it begins with, or `null`. */
  previous: Deployment | null
  manifest: PluginManifest
  files: readonly DeployedFile[]
  body: NewDeployment
}

/**
 * The statements that record a deployment and its files, make it the active one if it is to be, and tell of it. It takes
 * over what the former deployment of the version had, from the same moment.
 */
export function deploymentWrites(parts: DeploymentParts, call: Call): Write[] {
  const { deployment, former, previous, manifest, files, body } = parts
  const { id, pluginId, storeId, version } = deployment
  const properties = { pluginId, deploymentId: id, version }
  return [
    ...(former === null ? [] : [archive(former, call)]),
    insertDeployment(deployment, { manifest, body }, call),
    ...files.map((file) => insertFile(file, id, call)),
    ...(deployment.active ? activationWrites(deployment, call) : []),
    ...(former === null ? [] : [...takeOverSettings(former.id, id, call), ...movePointers(former, id, call)]),
    ...(previous === null ? [] : carrySettings(previous.id, id, call)),
    ...emit('s_plugin_deployed', { storeId, properties }, call),
  ]
}

/** One deployment stands for a version of a plugin in a store: a second one at the same time loses the race. */
function insertDeployment(
  deployment: Deployment,
  { manifest, body }: Pick<DeploymentParts, 'manifest' | 'body'>,
  { caller, nowMs }: Call,
): Write {
  const { id, storeId, pluginId, version, contentHash, host, mode, size, name, description } = deployment
  const { demoPreviews = null, sourceData = null, autoInstantiate = null } = body
  const details = JSON.stringify({ demoPreviews, sourceData, autoInstantiate })
  return {
    sql: `INSERT INTO plugin_deployments (account_id, id, store_id, plugin_id, version, content_hash, host, mode, size, name,
        description, manifest, details, archived_at, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)`,
    params: [
      caller.accountId,
      id,
      storeId,
      pluginId,
      version,
      contentHash,
      host,
      mode,
      size,
      name,
      description,
      JSON.stringify(manifest),
      details,
      nowMs,
    ],
  }
}

function insertFile({ path, sha256, contentType, size }: DeployedFile, deploymentId: string, { caller }: Call): Write {
  return {
    sql: `INSERT INTO plugin_files (account_id, deployment_id, path, sha256, content_type, size)
      VALUES (?, ?, ?, ?, ?, ?)`,
    params: [caller.accountId, deploymentId, path, sha256, contentType, size],
  }
}
