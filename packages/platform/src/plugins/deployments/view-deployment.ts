import type { Contract } from '@tillwright/contract'
import type { Call, Handler } from '../../call.ts'
import { aliasesOfStore } from '../domains/alias-rows.ts'
import { routesOfPlugin } from '../domains/domain-routes.ts'
import type { PluginHosting } from '../plugin-hosting.ts'
import { requireAny } from './deployments.ts'
import { managedDeployment } from './managed-deployment.ts'
import type { DeploymentDetails } from './update-preview.ts'

/** All that is known of a deployment, whatever has become of it. */
export function viewDeployment({ pluginsUrl }: PluginHosting): Handler<Contract['pluginManagement']['view']> {
  return async ({ params: { deploymentId } }, call) => {
    const deployment = await requireAny(deploymentId, call)
    const leadsHere = (each: { deploymentId: string }) => each.deploymentId === deploymentId
    const [content, files, aliases, routes] = await Promise.all([
      readContent(deploymentId, call),
      readFiles(deploymentId, call),
      aliasesOfStore(deployment.storeId, pluginsUrl, call),
      routesOfPlugin(deployment, call),
    ])
    const shown = { deployment: managedDeployment(deployment, pluginsUrl), files }
    return { body: { ...shown, ...content, aliases: aliases.filter(leadsHere), routes: routes.filter(leadsHere) } }
  }
}

async function readContent(deploymentId: string, { caller, parts }: Call) {
  const [row] = await parts.db.read(selectContent, [caller.accountId, deploymentId])
  const manifest = JSON.parse(String(row?.['manifest'])) as Record<string, unknown> // as it was deployed
  const { demoPreviews, sourceData } = JSON.parse(String(row?.['details'])) as DeploymentDetails // so is this
  return { manifest, demoPreviews, sourceData, revision: Number(row?.['revision'] ?? 0) }
}

async function readFiles(deploymentId: string, { caller, parts }: Call) {
  const rows = await parts.db.read(selectFiles, [caller.accountId, deploymentId])
  return rows.map((row) => ({
    path: String(row['path']),
    sha256: String(row['sha256']),
    size: Number(row['size']),
    contentType: String(row['content_type']),
  }))
}

const selectContent = `SELECT manifest, details, (SELECT MAX(revision) FROM plugin_revisions r
    WHERE r.account_id = d.account_id AND r.deployment_id = d.id) AS revision
  FROM plugin_deployments d WHERE d.account_id = ? AND d.id = ?`

const selectFiles = `SELECT path, sha256, size, content_type FROM plugin_files
  WHERE account_id = ? AND deployment_id = ? ORDER BY path`
