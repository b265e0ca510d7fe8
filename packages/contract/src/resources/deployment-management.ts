import { z } from 'zod'
import { exampleId, idOf, reference, referenceTo } from '../ids.ts'
import { DEPLOYMENT_MAX_FILES } from '../limits.ts'
import { pageOf, pageQuery } from '../pagination.ts'
import { label, name, text, timestamp } from '../text.ts'
import { domainRoute } from './domain-routes.ts'
import { deploymentAlias } from './plugin-aliases.ts'
import { assetHash } from './plugin-assets.ts'
import { demoPreviews, pluginDeployment } from './plugin-deployments.ts'

const when = '2030-01-01T00:00:00.000Z'
const deploymentId = referenceTo('deployment', 'The deployment.')

/** The path of an operation on one deployment. */
export const deploymentParams = z.object({ deploymentId })

/**
 * What becomes of a deployment: `active`, the one that its store uses; `idle`, one that stands for its version; `archived`,
 * one whose place another of the same version has taken; `removed`, one whose pages are gone.
 */
export const deploymentState = z.enum(['active', 'idle', 'archived', 'removed'])
export type DeploymentState = z.infer<typeof deploymentState>

/** A deployment with what has become of it. */
export const managedDeployment = pluginDeployment
  .extend({
    state: deploymentState.meta({
      description: 'Whether the store uses it, could use it, has another in its place, or has removed it.',
      examples: ['idle'],
    }),
    removedAt: timestamp.nullable().meta({ description: 'When it was removed, or null.', examples: [null] }),
    restorableUntil: timestamp.nullable().meta({
      description: 'Until when a removed deployment can be restored: 24 hours; else null.',
      examples: [null],
    }),
  })
  .meta({ id: 'ManagedDeployment' })
export type ManagedDeployment = z.infer<typeof managedDeployment>

/** The query of the list of deployments. */
export const deploymentsQuery = pageQuery.extend({
  storeId: referenceTo('store', 'The store whose deployments are listed.'),
  pluginId: reference.optional().meta({ description: 'Only those of this plugin.', examples: ['one-page-checkout'] }),
  state: z
    .enum(['live', 'all'])
    .default('live')
    .meta({ description: 'Whether archived and removed deployments are listed too.', examples: ['all'] }),
})

export const deploymentPage = pageOf(managedDeployment).meta({ id: 'DeploymentPage' })

const file = z.object({
  path: z.string().meta({ description: 'Where the file stands in the deployment.', examples: ['assets/app.js'] }),
  sha256: z.string().meta({
    description: 'The SHA-256 of the bytes, in lower-case hexadecimal.',
    examples: ['f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2'],
  }),
  size: z.int().meta({ description: 'How many bytes it has.', examples: [48_213] }),
  contentType: z.string().meta({ description: 'What it is served as.', examples: ['text/javascript; charset=utf-8'] }),
})

/** All that is known of a deployment. */
export const deploymentView = z
  .object({
    deployment: managedDeployment.meta({ description: 'The deployment.' }),
    manifest: z.record(z.string(), z.unknown()).meta({
      description: 'The manifest as it was deployed, with what nobody knows.',
      examples: [{ name: 'One-page checkout', version: '1.4.0', pages: [{ id: 'checkout', path: '/checkout' }] }],
    }),
    files: z.array(file).max(DEPLOYMENT_MAX_FILES).meta({ description: 'Its files, in the order of their paths.' }),
    aliases: z.array(deploymentAlias).meta({ description: 'The aliases that lead to it now.' }),
    routes: z.array(domainRoute).meta({ description: 'The places on domains that serve it now.' }),
    revision: z.int().meta({ description: 'How often its settings have changed.', examples: [3] }),
    demoPreviews: demoPreviews.nullable().meta({ description: 'What its pages look like, or null.' }),
    sourceData: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Where it comes from, or null.', examples: [{ commit: '4f2a9c1' }] }),
  })
  .meta({ id: 'DeploymentView' })

const formerDeploymentId = z
  .string()
  .nullable()
  .meta({
    description: 'The deployment that was active before, or null; the same when nothing changed.',
    examples: [exampleId('deployment')],
  })

/** What an activation or a rollback came to. */
export const activated = z
  .object({
    success: z.literal(true).meta({ description: 'That the store uses the deployment now.', examples: [true] }),
    deployment: managedDeployment.meta({ description: 'The deployment that is active now.' }),
    formerDeploymentId,
  })
  .meta({ id: 'Activated' })

/** The body of a rollback. */
export const rollback = z.object({
  storeId: referenceTo('store', 'The store that goes back.'),
  pluginId: reference.meta({ description: 'The plugin that goes back.', examples: ['one-page-checkout'] }),
})

/** What a removal, or its undoing, came to. */
export const removedOrRestored = z
  .object({
    success: z.literal(true).meta({ description: 'That it is done.', examples: [true] }),
    deployment: managedDeployment.meta({ description: 'The deployment as it is now.' }),
  })
  .meta({ id: 'RemovedOrRestored' })

const pictureHash = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'

const picture = z
  .string()
  .max(2_048)
  .regex(/^(?:https?:\/\/|\/)/, 'must be an address that begins with "https://", "http://" or "/"')

/** The body that moves the status of one preview. */
export const previewUpdate = z.object({
  previewId: name.meta({ description: 'The id of the preview in `demoPreviews`.', examples: ['checkout-dark'] }),
  status: z
    .enum(['pending', 'ready', 'failed'])
    .meta({ description: 'How far its pictures are.', examples: ['ready'] }),
  capturedAt: label.optional().meta({ description: 'When its pictures were taken.', examples: [when] }),
  error: text.optional().meta({ description: 'Why there are none.', examples: ['The page did not load.'] }),
  screenshotUrls: z
    .object({
      mobile: picture.optional().meta({ description: 'The picture on a phone.', examples: ['/previews/dark-390.png'] }),
      desktop: picture
        .optional()
        .meta({ description: 'The picture on a wide screen.', examples: ['/previews/dark-1280.png'] }),
    })
    .optional()
    .meta({ description: 'Where its pictures are; those not named stay.' }),
  screenshots: z
    .object({
      mobile: assetHash
        .optional()
        .meta({ description: 'The SHA-256 of the picture on a phone.', examples: [pictureHash] }),
      desktop: assetHash
        .optional()
        .meta({ description: 'The SHA-256 of the picture on a wide screen.', examples: [pictureHash] }),
    })
    .optional()
    .meta({
      description:
        'PNGs that were uploaded as assets: they are served on the deployment’s own host, and `screenshotUrls` lead there.',
    }),
})
export type PreviewUpdate = z.output<typeof previewUpdate>

/** The previews of a deployment as they are now. */
export const previewsNow = z
  .object({
    success: z.literal(true).meta({ description: 'That the status has moved.', examples: [true] }),
    deploymentId: idOf('deployment', 'The deployment.'),
    demoPreviews: demoPreviews.meta({ description: 'What its pages look like.' }),
  })
  .meta({ id: 'PreviewsNow' })
