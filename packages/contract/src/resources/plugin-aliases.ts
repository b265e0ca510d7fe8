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
  .meta({ description: 'The name of the alias, unique in the store, such as a branch.', examples: ['my-branch'] })

const storeId = referenceTo('store', 'The store that the pages belong to.')

/** The body for creating or updating an alias: of one deployment, or of a plugin's active one. */
export const newAlias = z
  .object({
    storeId,
    name: aliasName,
    deploymentId: referenceTo('deployment', 'The deployment that the alias stays with.').optional(),
    pluginId: reference.optional().meta({
      description: 'Instead of a deployment: the plugin whose active deployment the alias follows.',
      examples: ['one-page-checkout'],
    }),
  })
  .superRefine((sent, context) => {
    if ((sent.deploymentId === undefined) !== (sent.pluginId === undefined)) return
    const message = 'is required unless pluginId is given: send one of the two'
    const params = sent.deploymentId === undefined ? { code: 'parameter_missing' } : {}
    context.addIssue({ code: 'custom', path: ['deploymentId'], message, params })
  })
  .meta({
    examples: [
      { storeId: exampleId('store'), name: 'my-branch', pluginId: 'one-page-checkout' },
      { storeId: exampleId('store'), name: 'my-branch', deploymentId: exampleId('deployment') },
    ],
  })

/** The body for deleting an alias. */
export const removedAlias = z.object({ storeId, name: aliasName })

/** The query of the list of aliases. */
export const aliasesQuery = z.object({ storeId })

/** Whether a host stays with one deployment or follows the active one. */
export const follows = z.enum(['deployment', 'active'])

/** A host that leads to a deployment. */
export const deploymentAlias = z
  .object({
    name: z.string().meta({ description: 'The name of the alias.', examples: ['my-branch'] }),
    url: z.string().meta({
      description: 'The address of the pages.',
      examples: ['http://my-branch--k5vq2m7c3xw4hd6ryz2n5jtabe.plugins.localhost:4400'],
    }),
    storeId: idOf('store', 'The store that the pages belong to.'),
    pluginId: z.string().meta({ description: 'The plugin that the alias leads to.', examples: ['one-page-checkout'] }),
    deploymentId: idOf('deployment', 'The deployment that the alias currently leads to.'),
    follows: follows.meta({
      description: 'Whether the alias stays with the deployment or follows the active one.',
      examples: ['active'],
    }),
    createdAt: timestamp.meta({ description: 'When the alias was created.', examples: ['2030-01-01T00:00:00.000Z'] }),
  })
  .meta({ id: 'DeploymentAlias' })
export type DeploymentAlias = z.infer<typeof deploymentAlias>

/** The response to creating or updating an alias. */
export const aliasSet = z
  .object({
    success: z.literal(true).meta({ description: 'The alias leads to the deployment.', examples: [true] }),
    alias: deploymentAlias.meta({ description: 'The alias.' }),
  })
  .meta({ id: 'AliasSet' })

/** The response to deleting an alias. */
export const aliasRemoved = z
  .object({ success: z.literal(true).meta({ description: 'The alias no longer exists.', examples: [true] }) })
  .meta({ id: 'AliasRemoved' })

/** The aliases of a store. */
export const aliasList = z
  .object({ aliases: z.array(deploymentAlias).meta({ description: 'The aliases, sorted by name.' }) })
  .meta({ id: 'AliasList' })
