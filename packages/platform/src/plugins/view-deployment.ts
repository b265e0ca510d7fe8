import type { Contract, NewDeployment, PreviewUpdate } from '@tillwright/contract'
import { emit } from '../events/index.ts'
import type { RequestContext, Handler } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { int, nullable, pick, rawJson, rowReader } from '../storage/index.ts'
import { findPicture, picturePath } from './assets/index.ts'
import {
  formerPictureWrites,
  holdDeployment,
  managedDeployment,
  pictureWrites,
  requireAny,
  requireDeployment,
} from './deployments/index.ts'
import { aliasesOfStore, routesOfPlugin } from './domains/index.ts'
import type { PluginHosting } from './hosting.ts'
import { pluginDeploymentsTable, pluginFilesTable } from './tables.ts'

/** Everything known of a deployment, also after it was removed. */
export function viewDeployment({ pluginsUrl }: PluginHosting): Handler<Contract['pluginManagement']['view']> {
  return async ({ params: { deploymentId } }, context) => {
    const deployment = await requireAny(deploymentId, context)
    const leadsHere = (each: { deploymentId: string }) => each.deploymentId === deploymentId
    const [content, files, aliases, routes] = await Promise.all([
      readContent(deploymentId, context),
      readFiles(deploymentId, context),
      aliasesOfStore(deployment.storeId, pluginsUrl, context),
      routesOfPlugin(deployment, context),
    ])
    const shown = { deployment: managedDeployment(deployment, pluginsUrl, context.caller), files }
    return { body: { ...shown, ...content, aliases: aliases.filter(leadsHere), routes: routes.filter(leadsHere) } }
  }
}

async function readContent(deploymentId: string, { caller, services }: RequestContext) {
  const [row] = readContents(await services.db.read(selectContent, [caller.accountId, deploymentId]))
  if (row === undefined) throw missing('deployment', deploymentId, 'deploymentId')
  const { manifest, details, revision } = row
  const { demoPreviews, sourceData } = details
  return { manifest, demoPreviews, sourceData, revision: revision ?? 0 }
}

async function readFiles(deploymentId: string, { caller, services }: RequestContext) {
  const rows = await services.db.read(selectFiles, [caller.accountId, deploymentId])
  return readFileRows(rows).map((row) => ({
    path: row.path,
    sha256: row.sha256,
    size: row.size,
    contentType: row.content_type,
  }))
}

const selectContent = `SELECT manifest, details, (SELECT MAX(revision) FROM plugin_revisions r
    WHERE r.account_id = d.account_id AND r.deployment_id = d.id) AS revision
  FROM plugin_deployments d WHERE d.account_id = ? AND d.id = ?`
const readContents = rowReader({ ...pick(pluginDeploymentsTable, 'manifest', 'details'), revision: nullable(int) })

const selectFiles = `SELECT path, sha256, size, content_type FROM plugin_files
  WHERE account_id = ? AND deployment_id = ? ORDER BY path`
const readFileRows = rowReader(pick(pluginFilesTable, 'path', 'sha256', 'size', 'content_type'))

/** One screenshot of a deployment, for pages that load images from nowhere else. */
export function viewPicture({ blobs }: PluginHosting): Handler<Contract['pluginManagement']['picture']> {
  return async ({ params: { deploymentId, sha256 } }, context) => {
    await requireAny(deploymentId, context)
    const { accountId } = context.caller
    const picture = await findPicture(picturePath(sha256), { accountId, deploymentId }, context.services.db)
    const bytes = picture && (await blobs.get(sha256))
    if (bytes === null) throw missing('picture', sha256, 'sha256')
    const content = Buffer.from(bytes).toString('base64')
    return { body: { deploymentId, sha256, size: bytes.length, contentType: 'image/png', content } }
  }
}

type DemoPreviews = NonNullable<NewDeployment['demoPreviews']>
type Preview = DemoPreviews['pages'][number]['previews'][number]

const readDetails = rowReader({
  ...pick(pluginDeploymentsTable, 'details'),
  before: rawJson(pluginDeploymentsTable.details),
})

/** Moves the status of one preview. Simultaneous updates of two previews are both kept. */
export function updatePreview(pluginsUrl: string): Handler<Contract['pluginManagement']['updatePreview']> {
  return async ({ params: { deploymentId }, body }, context) => {
    const deployment = await requireDeployment(deploymentId, context)
    const key = [context.caller.accountId, deploymentId]
    const sql = 'SELECT details, details AS before FROM plugin_deployments WHERE account_id = ? AND id = ?'
    const [row] = readDetails(await context.services.db.read(sql, key))
    if (row === undefined) throw missing('deployment', deploymentId, 'deploymentId')
    const { details, before } = row
    const { screenshots = {}, screenshotUrls } = body
    const pictures = await pictureWrites(screenshots, deployment, { context, pluginsUrl })
    const update = { ...body, screenshotUrls: { ...screenshotUrls, ...pictures.screenshotUrls } }
    const demoPreviews = details.demoPreviews && moved(details.demoPreviews, update)
    if (demoPreviews === null) throw noSuchPreview(body.previewId)
    const write = {
      sql: 'UPDATE plugin_deployments SET details = ? WHERE account_id = ? AND id = ? AND details = ?',
      params: [JSON.stringify({ ...details, demoPreviews }), ...key, before],
      expect: 1,
    }
    const { pluginId, storeId, version } = deployment
    const { previewId, status } = body
    const properties = { pluginId, deploymentId, version, previewId, status }
    return {
      body: { success: true, deploymentId, demoPreviews },
      writes: [
        holdDeployment(deployment, context),
        write,
        ...pictures.writes,
        ...formerPictureWrites(details.demoPreviews ?? {}, demoPreviews, { deploymentId, context }),
        ...emit('s_plugin_preview_updated', { storeId, properties }, context),
      ],
    }
  }
}

type MovedPreview = PreviewUpdate & { screenshotUrls: NonNullable<PreviewUpdate['screenshotUrls']> }

function moved(demoPreviews: DemoPreviews, update: MovedPreview): DemoPreviews | null {
  const all = demoPreviews.pages.flatMap(({ previews }) => previews)
  if (!all.some(({ id }) => id === update.previewId)) return null
  const pages = demoPreviews.pages.map((page) => ({
    ...page,
    previews: page.previews.map((preview) => (preview.id === update.previewId ? changed(preview, update) : preview)),
  }))
  return { ...demoPreviews, pages }
}

/** An error belongs to what has failed; whatever else comes of it ends it. */
function changed(preview: Preview, { status, capturedAt, error, screenshotUrls }: MovedPreview): Preview {
  return {
    ...preview,
    metadata: { ...preview.metadata, status, ...(capturedAt !== undefined && { capturedAt }), error: error ?? null },
    ...(Object.keys(screenshotUrls).length > 0 && { screenshotUrls: { ...preview.screenshotUrls, ...screenshotUrls } }),
  }
}

function noSuchPreview(previewId: string): ApiError {
  return new ApiError('parameter_invalid', `The deployment has no preview '${previewId}'; name one of demoPreviews.`, {
    param: 'previewId',
  })
}
