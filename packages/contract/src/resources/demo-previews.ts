import { z } from 'zod'
import { MANIFEST_PAGES_MAX, PREVIEWS_MAX } from '../limits.ts'
import { label, name, text } from '../text.ts'

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
