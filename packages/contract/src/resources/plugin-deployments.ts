import { z } from 'zod'
import { fitsManifest, freeForm, tooLongForManifest } from '../free-form.ts'
import { exampleId, reference, referenceTo } from '../ids.ts'
import { MANIFEST_PAGES_MAX, PREVIEWS_MAX } from '../limits.ts'
import { label, name, text, timestamp } from '../text.ts'
import { stepType } from './funnels.ts'
import { inlineAssets } from './plugin-assets.ts'
import { pluginManifest, pluginMode } from './plugin-manifests.ts'

const address = z.string().max(2_048)

const preview = z.object({
  id: name.meta({ description: 'The id of the preview.', examples: ['checkout-dark'] }),
  previewUrl: address
    .optional()
    .meta({ description: 'The address of the preview.', examples: ['/checkout?preset=dark'] }),
  metadata: z
    .object({
      status: label.nullish().meta({ description: 'The status of the preview.', examples: ['pending'] }),
      preset: label.nullish().meta({ description: 'The preset shown.', examples: ['dark'] }),
      capturedAt: label
        .nullish()
        .meta({ description: 'When the screenshots were taken.', examples: ['2030-01-01T00:00:00.000Z'] }),
      error: text.nullish().meta({ description: 'Why there are no screenshots.', examples: [null] }),
    })
    .optional()
    .meta({ description: 'Details of the preview’s status.' }),
  screenshotUrls: z
    .object({
      mobile: address.nullish().meta({ description: 'The mobile screenshot.', examples: ['/previews/dark-390.png'] }),
      desktop: address
        .nullish()
        .meta({ description: 'The desktop screenshot.', examples: ['/previews/dark-1280.png'] }),
    })
    .optional()
    .meta({ description: 'Addresses of the screenshots.' }),
})

const previewedPage = z.object({
  path: name.meta({ description: 'The path of the page.', examples: ['/checkout'] }),
  name: label.optional().meta({ description: 'The name of the page.', examples: ['Checkout'] }),
  previews: z.array(preview).max(PREVIEWS_MAX).default([]).meta({ description: 'Previews of the page.' }),
})

/** Previews of a plugin's pages with its presets, stored with the deployment. Source: reference, `demoPreviews`. */
export const demoPreviews = z.object({
  pages: z.array(previewedPage).max(MANIFEST_PAGES_MAX).default([]).meta({ description: 'The previewed pages.' }),
  metadata: z
    .object({
      lastUpdated: label
        .nullish()
        .meta({ description: 'When the previews were generated.', examples: ['2030-01-01T00:00:00.000Z'] }),
      generator: label.nullish().meta({ description: 'The tool that generated them.', examples: ['tillwright'] }),
      version: label.nullish().meta({ description: 'The version of the tool.', examples: ['1.0.0'] }),
    })
    .optional()
    .meta({ description: 'The origin of the previews.' }),
})

const ids = {
  deployment: { description: 'The id of the deployment.', examples: [exampleId('deployment')] },
  plugin: {
    description: 'The id of the plugin: `manifest.pluginId`, or a generated one.',
    examples: ['one-page-checkout'],
  },
  store: { description: 'The store that the pages belong to.', examples: [exampleId('store')] },
} as const

/** A funnel step to create with the deployment. */
export const autoInstantiate = z.object({
  stepType,
  funnelId: referenceTo(
    'funnel',
    'A funnel of the same store. It gets the step unless it already has one of this plugin and type.',
  ),
  isPreview: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether the step is shown in previews only.', examples: [false] }),
})

/** The body of `POST /plugins/v2/deploy`. Required: `storeId`, and the manifest's name, version and one page. */
export const newDeployment = z
  .object({
    manifest: pluginManifest.meta({
      description: 'The plugin’s manifest. Unknown fields are kept.',
    }),
    storeId: reference.meta(ids.store),
    inlineAssets: inlineAssets
      .default([])
      .meta({ description: 'The files of the deployment: at most 100 MiB in total, and 2 MiB for an HTML document.' }),
    demoPreviews: demoPreviews
      .refine(fitsManifest, tooLongForManifest)
      .optional()
      .meta({ description: 'Previews of the pages, stored with the deployment.' }),
    sourceData: freeForm
      .refine(fitsManifest, tooLongForManifest)
      .optional()
      .meta({
        description:
          'The origin of the deployment. Kept only: readers of the deployment see which commit it was built from.',
        examples: [{ commit: '4f2a9c1' }],
      }),
    overwrite: z
      .boolean()
      .default(false)
      .meta({
        description: 'Whether to replace a deployment of the same version with different content.',
        examples: [false],
      }),
    activate: z
      .boolean()
      .default(true)
      .meta({
        description:
          'Whether to activate the deployment in the store, also if the same content was deployed before. A deployment that replaces the active one is always activated; one without an HTML document never is, because it can only answer 404.',
        examples: [true],
      }),
    dryRun: z
      .boolean()
      .default(false)
      .meta({
        description: 'Whether to deploy nothing and only return the assets that are `missing`.',
        examples: [false],
      }),
    autoInstantiate: autoInstantiate.optional().meta({ description: 'A funnel step to create with the deployment.' }),
  })
  .meta({
    examples: [
      {
        storeId: exampleId('store'),
        manifest: {
          name: 'One-page checkout',
          version: '1.4.0',
          mode: 'direct-mode',
          pages: [
            { id: 'checkout', path: '/checkout', name: 'Checkout', isDefault: true, features: [{ type: 'checkout' }] },
          ],
        },
        inlineAssets: [{ path: 'index.html', content: '<!doctype html><title>Checkout</title>' }],
      },
    ],
  })
export type NewDeployment = z.output<typeof newDeployment>

/** A deployed version of a plugin. Source: reference, "Plugin deployment". */
export const pluginDeployment = z
  .object({
    id: z.string().meta(ids.deployment),
    deploymentId: z.string().meta({ description: 'The same as `id`.', examples: ids.deployment.examples }),
    pluginId: z.string().meta(ids.plugin),
    version: z.string().meta({ description: 'The version from the manifest.', examples: ['1.4.0'] }),
    url: z.string().meta({
      description: 'The address of the pages, on a host of their own.',
      examples: ['http://k5vq2m7c3xw4hd6ryz2n5jtabe.plugins.localhost:4400'],
    }),
    active: z.boolean().meta({ description: 'Whether the store uses it.', examples: [true] }),
    mode: pluginMode.meta({ description: 'The mode from the manifest.', examples: ['direct-mode'] }),
    size: z.int().meta({ description: 'The total size of its files in bytes.', examples: [48_213] }),
    deployedAt: timestamp.meta({ description: 'When it was deployed.', examples: ['2030-01-01T00:00:00.000Z'] }),
    plugin: z
      .object({
        id: z.string().meta(ids.plugin),
        name: z.string().meta({ description: 'The name from the manifest.', examples: ['One-page checkout'] }),
        description: z.string().meta({
          description: 'The description from the manifest, or an empty string.',
          examples: ['Everything on one page.'],
        }),
      })
      .meta({ description: 'The plugin as described by this deployment.' }),
  })
  .meta({ id: 'PluginDeployment' })
export type PluginDeployment = z.infer<typeof pluginDeployment>

/**
 * The result of a deployment. If `success` is false, nothing was deployed and `missing` lists the assets to upload
 * first.
 */
export const deployed = z
  .object({
    success: z.boolean().meta({ description: 'Whether the content is deployed.', examples: [true] }),
    deploymentId: z
      .string()
      .nullable()
      .meta({ ...ids.deployment, description: 'The deployment, or null without success.' }),
    pluginId: z
      .string()
      .nullable()
      .meta({ ...ids.plugin, description: 'The plugin, or null if it does not exist yet.' }),
    version: z.string().meta({ description: 'The version from the manifest.', examples: ['1.4.0'] }),
    url: z
      .string()
      .nullable()
      .meta({
        description: 'The address of the pages, or null without success.',
        examples: ['http://k5vq2m7c3xw4hd6ryz2n5jtabe.plugins.localhost:4400'],
      }),
    deployment: pluginDeployment.nullable().meta({ description: 'The deployment, or null without success.' }),
    missing: z.array(z.string()).meta({
      description:
        'The SHA-256 of each asset that was sent without content and is not stored; empty on success. Upload them, then send the same body again with a new Idempotency-Key.',
      examples: [[]],
    }),
  })
  .meta({ id: 'Deployed' })

/** The body of `POST /plugins/deployments`. */
export const deploymentsOfStore = z.object({ storeId: reference.meta(ids.store) })

/** The deployments of a store, newest first, without those that were replaced. */
export const pluginDeployments = z
  .object({ deployments: z.array(pluginDeployment).meta({ description: 'The deployments, newest first.' }) })
  .meta({ id: 'PluginDeployments' })
