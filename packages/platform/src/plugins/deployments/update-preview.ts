import type { Contract, NewDeployment, PreviewUpdate } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { Handler } from '../../call.ts'
import { holdDeployment, requireDeployment } from './deployments.ts'
import { formerPictureWrites, pictureWrites } from './picture-writes.ts'

type DemoPreviews = NonNullable<NewDeployment['demoPreviews']>
type Preview = DemoPreviews['pages'][number]['previews'][number]

/** What a deployment carries beside its manifest and files, as its row has it. */
export interface DeploymentDetails {
  demoPreviews: DemoPreviews | null
  sourceData: Record<string, unknown> | null
}

/** Moves the status of one preview. What two say at the same time of two previews is both kept. */
export function updatePreview(pluginsUrl: string): Handler<Contract['pluginManagement']['updatePreview']> {
  return async ({ params: { deploymentId }, body }, call) => {
    const deployment = await requireDeployment(deploymentId, call)
    const key = [call.caller.accountId, deploymentId]
    const [row] = await call.parts.db.read(
      'SELECT details FROM plugin_deployments WHERE account_id = ? AND id = ?',
      key,
    )
    const text = String(row?.['details'])
    const details = JSON.parse(text) as DeploymentDetails // as it was deployed
    const { screenshots = {}, screenshotUrls } = body
    const pictures = await pictureWrites(screenshots, deployment, { call, pluginsUrl })
    const update = { ...body, screenshotUrls: { ...screenshotUrls, ...pictures.screenshotUrls } }
    const demoPreviews = details.demoPreviews && moved(details.demoPreviews, update)
    if (demoPreviews === null) throw noSuchPreview(body.previewId)
    const write = {
      sql: 'UPDATE plugin_deployments SET details = ? WHERE account_id = ? AND id = ? AND details = ?',
      params: [JSON.stringify({ ...details, demoPreviews }), ...key, text],
      expect: 1,
    }
    return {
      body: { success: true, deploymentId, demoPreviews },
      writes: [
        holdDeployment(deployment, call),
        write,
        ...pictures.writes,
        ...formerPictureWrites(details.demoPreviews ?? {}, demoPreviews, { deploymentId, call }),
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
