import { z } from 'zod'
import { exampleId, idOf, reference, referenceTo } from '../ids.ts'
import { ALIAS_MAX_CHARS } from '../limits.ts'
import { timestamp } from '../text.ts'

const aliasName = z
  .string()
  .min(1)
  .max(ALIAS_MAX_CHARS)
  .regex(
    /^[a-z0-9](?:-?[a-z0-9])*$/,
    'must be lower-case letters and digits with single hyphens between, such as "my-branch"',
  )
  .meta({ description: 'The name of the alias, unique in the store: a branch, for example.', examples: ['my-branch'] })

const storeId = referenceTo('store', 'The store that the pages are for.')

/** The body that sets an alias: to one deployment, or to whichever of a plugin is active. */
export const newAlias = z
  .object({
    storeId,
    name: aliasName,
    deploymentId: referenceTo('deployment', 'The deployment that the alias stays with.').optional(),
    pluginId: reference.optional().meta({
      description: 'Instead of a deployment: the plugin whose active one the alias follows.',
      examples: ['one-page-checkout'],
    }),
  })
  .superRefine((sent, context) => {
    if ((sent.deploymentId === undefined) !== (sent.pluginId === undefined)) return
    const message = 'is required, or pluginId: one of the two'
    const params = sent.deploymentId === undefined ? { code: 'parameter_missing' } : {}
    context.addIssue({ code: 'custom', path: ['deploymentId'], message, params })
  })
  .meta({
    examples: [
      { storeId: exampleId('store'), name: 'my-branch', pluginId: 'one-page-checkout' },
      { storeId: exampleId('store'), name: 'my-branch', deploymentId: exampleId('deployment') },
    ],
  })

/** The body that takes an alias away. */
export const removedAlias = z.object({ storeId, name: aliasName })

/** The query of the list of aliases. */
export const aliasesQuery = z.object({ storeId })

/** Whether a host stays with one deployment, or goes with what is active. */
export const follows = z.enum(['deployment', 'active'])

/** A host that leads to a deployment. */
export const deploymentAlias = z
  .object({
    name: z.string().meta({ description: 'The name of the alias.', examples: ['my-branch'] }),
    url: z.string().meta({
      description: 'Where the pages are.',
      examples: ['http://my-branch--k5vq2m7c3xw4hd6ryz2n5jtabe.plugins.localhost:4400'],
    }),
    storeId: idOf('store', 'The store that the pages are for.'),
    pluginId: z.string().meta({ description: 'The plugin that is served.', examples: ['one-page-checkout'] }),
    deploymentId: idOf('deployment', 'The deployment that is served now.'),
    follows: follows.meta({
      description: 'Whether it stays with the deployment, or follows what is active.',
      examples: ['active'],
    }),
    createdAt: timestamp.meta({ description: 'When it was set first.', examples: ['2030-01-01T00:00:00.000Z'] }),
  })
  .meta({ id: 'DeploymentAlias' })
export type DeploymentAlias = z.infer<typeof deploymentAlias>

/** The answer of setting an alias. */
export const aliasSet = z
  .object({
    success: z.literal(true).meta({ description: 'That the alias leads there now.', examples: [true] }),
    alias: deploymentAlias.meta({ description: 'The alias.' }),
  })
  .meta({ id: 'AliasSet' })

/** The answer of taking an alias away. */
export const aliasRemoved = z
  .object({ success: z.literal(true).meta({ description: 'That there is no such alias any more.', examples: [true] }) })
  .meta({ id: 'AliasRemoved' })

/** The aliases of a store, by name. */
export const aliasList = z
  .object({ aliases: z.array(deploymentAlias).meta({ description: 'The aliases, in the order of their names.' }) })
  .meta({ id: 'AliasList' })
