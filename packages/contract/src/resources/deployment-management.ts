import { z } from 'zod'
import { exampleId, idOf, reference, referenceTo } from '../ids.ts'
import { DEPLOYMENT_MAX_FILES } from '../limits.ts'
import { pageOf, pageQuery } from '../pagination.ts'
import { label, name, text, timestamp } from '../text.ts'
import { auditActor } from './audit.ts'
import { domainRoute } from './domain-routes.ts'
import { deploymentAlias } from './plugin-aliases.ts'
import { assetHash } from './plugin-assets.ts'
import { demoPreviews, pluginDeployment } from './plugin-deployments.ts'

const when = '2030-01-01T00:00:00.000Z'
const deploymentId = referenceTo('deployment', 'The deployment.')

/** Path parameters of operations on one deployment. */
export const deploymentParams = z.object({ deploymentId })

/**
 * `active`: the store uses it. `idle`: the current deployment of its version. `archived`: replaced by another
 * deployment of the same version. `removed`: its pages are gone.
 */
export const deploymentState = z.enum(['active', 'idle', 'archived', 'removed'])
export type DeploymentState = z.infer<typeof deploymentState>

/** A deployment with its state. */
export const managedDeployment = pluginDeployment
  .extend({
    state: deploymentState.meta({
      description: 'Whether the deployment is in use, available, replaced or removed.',
      examples: ['idle'],
    }),
    deployedBy: auditActor.meta({ description: 'Who deployed it.' }),
    removedAt: timestamp.nullable().meta({ description: 'When it was removed, or null.', examples: [null] }),
    offlineSince: timestamp.nullable().meta({
      description:
        'Since when its pages are offline: every address that leads to it answers 410. `null` while they are shown.',
      examples: [null],
    }),
    restorableUntil: timestamp.nullable().meta({
      description: 'When a removed deployment can no longer be restored, 24 hours after its removal; otherwise null.',
      examples: [null],
    }),
  })
  .meta({ id: 'ManagedDeployment' })
export type ManagedDeployment = z.infer<typeof managedDeployment>

/** The query of the list of all deployments. */
export const deploymentsQuery = pageQuery.extend({
  storeId: referenceTo('store', 'The store that the deployments belong to.'),
  pluginId: reference
    .optional()
    .meta({ description: 'Only deployments of this plugin.', examples: ['one-page-checkout'] }),
  state: z
    .enum(['live', 'all'])
    .default('live')
    .meta({ description: 'Whether to include archived and removed deployments.', examples: ['all'] }),
})

export const deploymentPage = pageOf(managedDeployment).meta({ id: 'DeploymentPage' })

/** The query of the list of a store's plugins. */
export const pluginsQuery = pageQuery.extend({
  storeId: referenceTo('store', 'The store that the plugins are deployed to.'),
  pluginId: reference.optional().meta({ description: 'Only this plugin.', examples: ['one-page-checkout'] }),
})

/** A plugin in a store, with what is live of it and where. */
export const storePlugin = z
  .object({
    pluginId: z.string().meta({ description: 'The id of the plugin.', examples: ['one-page-checkout'] }),
    storeId: idOf('store', 'The store.'),
    name: z.string().meta({
      description: 'The name from the manifest of the active deployment, or of the newest if none is active.',
      examples: ['One-page checkout'],
    }),
    active: managedDeployment.nullable().meta({ description: 'The deployment that the store uses, or null.' }),
    activatedAt: timestamp.nullable().meta({ description: 'Since when the store uses it, or null.', examples: [when] }),
    activatedBy: auditActor.nullable().meta({ description: 'Who activated it, or null.' }),
    newest: managedDeployment.meta({ description: 'The deployment that was made last.' }),
    routes: z.array(domainRoute).meta({ description: 'The domain routes that serve the plugin.' }),
  })
  .meta({ id: 'StorePlugin' })
export type StorePlugin = z.infer<typeof storePlugin>

/** The plugins of a store, in pages. */
export const storePluginPage = pageOf(storePlugin).meta({ id: 'StorePluginPage' })

const file = z.object({
  path: z.string().meta({ description: 'The path of the file in the deployment.', examples: ['assets/app.js'] }),
  sha256: z.string().meta({
    description: 'The SHA-256 of the bytes, in lower-case hexadecimal.',
    examples: ['f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2'],
  }),
  size: z.int().meta({ description: 'The size in bytes.', examples: [48_213] }),
  contentType: z
    .string()
    .meta({ description: 'The media type that it is served with.', examples: ['text/javascript; charset=utf-8'] }),
})

/** A deployment with all its details. */
export const deploymentView = z
  .object({
    deployment: managedDeployment.meta({ description: 'The deployment.' }),
    manifest: z.record(z.string(), z.unknown()).meta({
      description: 'The manifest as deployed, including unknown fields.',
      examples: [{ name: 'One-page checkout', version: '1.4.0', pages: [{ id: 'checkout', path: '/checkout' }] }],
    }),
    files: z.array(file).max(DEPLOYMENT_MAX_FILES).meta({ description: 'Its files, sorted by path.' }),
    aliases: z.array(deploymentAlias).meta({ description: 'The aliases that currently lead to it.' }),
    routes: z.array(domainRoute).meta({ description: 'The domain routes that currently serve it.' }),
    revision: z.int().meta({ description: 'The number of times its settings have changed.', examples: [3] }),
    demoPreviews: demoPreviews.nullable().meta({ description: 'Previews of its pages, or null.' }),
    sourceData: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Its origin, or null.', examples: [{ commit: '4f2a9c1' }] }),
  })
  .meta({ id: 'DeploymentView' })

const formerDeploymentId = z
  .string()
  .nullable()
  .meta({
    description: 'The previously active deployment, or null; the same one if nothing changed.',
    examples: [exampleId('deployment')],
  })

/** The result of an activation or a rollback. */
export const activated = z
  .object({
    success: z
      .literal(true)
      .meta({ description: 'The store uses the deployment, or would without `dryRun`.', examples: [true] }),
    deployment: managedDeployment.meta({ description: 'The active deployment.' }),
    formerDeploymentId,
  })
  .meta({ id: 'Activated' })

/** The body of a rollback. */
export const rollback = z.object({
  storeId: referenceTo('store', 'The store in which to roll back.'),
  pluginId: reference.meta({ description: 'The plugin to roll back.', examples: ['one-page-checkout'] }),
  dryRun: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to change nothing and only return what would be active.', examples: [false] }),
})

/** The result of removing or restoring a deployment. */
export const removedOrRestored = z
  .object({
    success: z.literal(true).meta({ description: 'The deployment was removed or restored.', examples: [true] }),
    deployment: managedDeployment.meta({ description: 'The deployment as it is now.' }),
  })
  .meta({ id: 'RemovedOrRestored' })

/** The result of taking a deployment offline, or of bringing it online. */
export const switchedOffOrOn = z
  .object({
    success: z.literal(true).meta({ description: 'Its pages are offline or shown, as was asked.', examples: [true] }),
    deployment: managedDeployment.meta({ description: 'The deployment as it is now.' }),
  })
  .meta({ id: 'SwitchedOffOrOn' })

const pictureHash = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'

/** Path parameters of one picture of a deployment. */
export const pictureParams = deploymentParams.extend({
  sha256: reference.meta({
    description: 'The SHA-256 of the picture, as its address has it.',
    examples: [pictureHash],
  }),
})

/** A screenshot of a deployment's page. */
export const deploymentPicture = z
  .object({
    deploymentId: idOf('deployment', 'The deployment.'),
    sha256: z.string().meta({ description: 'The SHA-256 of the bytes.', examples: [pictureHash] }),
    size: z.int().meta({ description: 'The size in bytes.', examples: [48_213] }),
    contentType: z.literal('image/png').meta({ description: 'The media type.', examples: ['image/png'] }),
    content: z.string().meta({ description: 'The bytes in base64.', examples: ['iVBORw0KGgo='] }),
  })
  .meta({ id: 'DeploymentPicture' })

const picture = z
  .string()
  .max(2_048)
  .regex(/^(?:https?:\/\/|\/)/, 'must be an address that begins with "https://", "http://" or "/"')

/** The body of a preview status update. */
export const previewUpdate = z.object({
  previewId: name.meta({ description: 'The id of the preview in `demoPreviews`.', examples: ['checkout-dark'] }),
  status: z
    .enum(['pending', 'ready', 'failed'])
    .meta({ description: 'The status of its screenshots.', examples: ['ready'] }),
  capturedAt: label.optional().meta({ description: 'When the screenshots were taken.', examples: [when] }),
  error: text.optional().meta({ description: 'Why there are no screenshots.', examples: ['The page did not load.'] }),
  screenshotUrls: z
    .object({
      mobile: picture.optional().meta({ description: 'The mobile screenshot.', examples: ['/previews/dark-390.png'] }),
      desktop: picture
        .optional()
        .meta({ description: 'The desktop screenshot.', examples: ['/previews/dark-1280.png'] }),
    })
    .optional()
    .meta({ description: 'Addresses of the screenshots; those left out stay as they are.' }),
  screenshots: z
    .object({
      mobile: assetHash
        .optional()
        .meta({ description: 'The SHA-256 of the mobile screenshot.', examples: [pictureHash] }),
      desktop: assetHash
        .optional()
        .meta({ description: 'The SHA-256 of the desktop screenshot.', examples: [pictureHash] }),
    })
    .optional()
    .meta({
      description:
        'PNG files already uploaded as assets. They are served on the deployment’s own host, and `screenshotUrls` points to them.',
    }),
})
export type PreviewUpdate = z.output<typeof previewUpdate>

/** The current previews of a deployment. */
export const previewsNow = z
  .object({
    success: z.literal(true).meta({ description: 'The status was updated.', examples: [true] }),
    deploymentId: idOf('deployment', 'The deployment.'),
    demoPreviews: demoPreviews.meta({ description: 'The previews of the deployment.' }),
  })
  .meta({ id: 'PreviewsNow' })
