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
  previewUrl: address.optional().meta({ description: 'Where it can be seen.', examples: ['/checkout?preset=dark'] }),
  metadata: z
    .object({
      status: label.nullish().meta({ description: 'How far it is.', examples: ['pending'] }),
      preset: label.nullish().meta({ description: 'The preset that it shows.', examples: ['dark'] }),
      capturedAt: label
        .nullish()
        .meta({ description: 'When its pictures were taken.', examples: ['2030-01-01T00:00:00.000Z'] }),
      error: text.nullish().meta({ description: 'Why there are none.', examples: [null] }),
    })
    .optional()
    .meta({ description: 'What is known of the preview.' }),
  screenshotUrls: z
    .object({
      mobile: address.nullish().meta({ description: 'The picture on a phone.', examples: ['/previews/dark-390.png'] }),
      desktop: address
        .nullish()
        .meta({ description: 'The picture on a wide screen.', examples: ['/previews/dark-1280.png'] }),
    })
    .optional()
    .meta({ description: 'Where its pictures are.' }),
})

const previewedPage = z.object({
  path: name.meta({ description: 'The page that is shown, by its path.', examples: ['/checkout'] }),
  name: label.optional().meta({ description: 'What the page is called.', examples: ['Checkout'] }),
  previews: z.array(preview).max(PREVIEWS_MAX).default([]).meta({ description: 'What it looks like.' }),
})

/** What a plugin's pages look like with its presets; kept with the deployment. Source: reference, `demoPreviews`. */
export const demoPreviews = z.object({
  pages: z.array(previewedPage).max(MANIFEST_PAGES_MAX).default([]).meta({ description: 'The pages that are shown.' }),
  metadata: z
    .object({
      lastUpdated: label
        .nullish()
        .meta({ description: 'When they were made.', examples: ['2030-01-01T00:00:00.000Z'] }),
      generator: label.nullish().meta({ description: 'What made them.', examples: ['tillwright'] }),
      version: label.nullish().meta({ description: 'The version of that.', examples: ['1.0.0'] }),
    })
    .optional()
    .meta({ description: 'Where the previews come from.' }),
})

const ids = {
  deployment: { description: 'The id of the deployment.', examples: [exampleId('deployment')] },
  plugin: {
    description: 'The id of the plugin: `manifest.pluginId`, or one of ours.',
    examples: ['one-page-checkout'],
  },
  store: { description: 'The store that the pages are for.', examples: [exampleId('store')] },
} as const

/** A step of a funnel to be made with the deployment. */
export const autoInstantiate = z.object({
  stepType,
  funnelId: referenceTo(
    'funnel',
    'The funnel of the same store that gets the step, unless it has one of the plugin and type already.',
  ),
  isPreview: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether only previews meet the step.', examples: [false] }),
})

/** The body of `POST /plugins/v2/deploy`. Required: storeId; of the manifest its name, its version and one page. */
export const newDeployment = z
  .object({
    manifest: pluginManifest.meta({
      description: 'What the plugin says of itself. Fields that nobody knows are kept.',
    }),
    storeId: reference.meta(ids.store),
    inlineAssets: inlineAssets
      .default([])
      .meta({ description: 'The files of the deployment: 100 MiB together at most.' }),
    demoPreviews: demoPreviews
      .refine(fitsManifest, tooLongForManifest)
      .optional()
      .meta({ description: 'What the pages look like; kept with the deployment.' }),
    sourceData: freeForm
      .refine(fitsManifest, tooLongForManifest)
      .optional()
      .meta({ description: 'Where the deployment comes from; kept with it.', examples: [{ commit: '4f2a9c1' }] }),
    overwrite: z
      .boolean()
      .default(false)
      .meta({
        description: 'Whether a deployment of the same version and other content takes the place of the former.',
        examples: [false],
      }),
    activate: z
      .boolean()
      .default(true)
      .meta({
        description:
          'Whether the store uses it from now on. One that takes the place of an active deployment is active in any case.',
        examples: [true],
      }),
    dryRun: z
      .boolean()
      .default(false)
      .meta({
        description: 'Whether to deploy nothing, and answer what is `missing` as long as it is not deployed.',
        examples: [false],
      }),
    autoInstantiate: autoInstantiate.optional().meta({ description: 'A step of a funnel to be made with it.' }),
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

/** A plugin's pages as they were deployed once. Source: reference, "Plugin deployment". */
export const pluginDeployment = z
  .object({
    id: z.string().meta(ids.deployment),
    deploymentId: z.string().meta({ description: 'The same as `id`.', examples: ids.deployment.examples }),
    pluginId: z.string().meta(ids.plugin),
    version: z.string().meta({ description: 'The version in the manifest.', examples: ['1.4.0'] }),
    url: z.string().meta({
      description: 'Where the pages are, on a host of their own.',
      examples: ['http://k5vq2m7c3xw4hd6ryz2n5jtabe.plugins.localhost:4400'],
    }),
    active: z.boolean().meta({ description: 'Whether it is the one that the store uses.', examples: [true] }),
    mode: pluginMode.meta({ description: 'The mode in the manifest.', examples: ['direct-mode'] }),
    size: z.int().meta({ description: 'How many bytes its files have together.', examples: [48_213] }),
    deployedAt: timestamp.meta({ description: 'When it was deployed.', examples: ['2030-01-01T00:00:00.000Z'] }),
    plugin: z
      .object({
        id: z.string().meta(ids.plugin),
        name: z.string().meta({ description: 'The name in the manifest.', examples: ['One-page checkout'] }),
        description: z
          .string()
          .meta({ description: 'The description in the manifest, or nothing.', examples: ['Everything on one page.'] }),
      })
      .meta({ description: 'The plugin, as this deployment describes it.' }),
  })
  .meta({ id: 'PluginDeployment' })
export type PluginDeployment = z.infer<typeof pluginDeployment>

/** What a deployment came to. Without success nothing was deployed, and `missing` says what has to be stored first. */
export const deployed = z
  .object({
    success: z.boolean().meta({ description: 'Whether the content is deployed now.', examples: [true] }),
    deploymentId: z
      .string()
      .nullable()
      .meta({ ...ids.deployment, description: 'The deployment, or null without success.' }),
    pluginId: z
      .string()
      .nullable()
      .meta({ ...ids.plugin, description: 'The plugin, or null while there is none.' }),
    version: z.string().meta({ description: 'The version in the manifest.', examples: ['1.4.0'] }),
    url: z
      .string()
      .nullable()
      .meta({
        description: 'Where the pages are, or null without success.',
        examples: ['http://k5vq2m7c3xw4hd6ryz2n5jtabe.plugins.localhost:4400'],
      }),
    deployment: pluginDeployment.nullable().meta({ description: 'The deployment, or null without success.' }),
    missing: z.array(z.string()).meta({
      description:
        'The SHA-256 of each asset without content that the account has not stored; empty with success. Store them, then send the same body again, with a new Idempotency-Key.',
      examples: [[]],
    }),
  })
  .meta({ id: 'Deployed' })

/** The body of `POST /plugins/deployments`. */
export const deploymentsOfStore = z.object({ storeId: reference.meta(ids.store) })

/** The deployments of a store that no other has taken the place of, the newest first. */
export const pluginDeployments = z
  .object({ deployments: z.array(pluginDeployment).meta({ description: 'The deployments, the newest first.' }) })
  .meta({ id: 'PluginDeployments' })
