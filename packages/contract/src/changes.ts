import { z } from 'zod'
import { flagFilter } from './lists.ts'
import { timestamp } from './text.ts'

/** Fields of every resource that can be changed. */
export const revised = {
  revision: z.int().meta({
    description: 'The revision of the object. It begins at 1 and grows with every change; send it with the next one.',
    examples: [1],
  }),
  updatedAt: timestamp.meta({ description: 'When the object was last changed.' }),
}

/** The field of every resource that can be archived. */
export const archived = z.boolean().meta({
  description: 'Whether the object is archived: it stays readable and takes part in nothing new.',
  examples: [false],
})

/** The filter of lists whose entries can be archived. */
export const archivedFilter = {
  archived: flagFilter('Only archived entries (`true`), or only the others (`false`, the default).'),
}

const sentRevision = z
  .int()
  .min(1)
  .optional()
  .meta({
    description:
      'The revision that your change is based on, as you last read it. Required, unless the header `If-Match` has it: `If-Match: "1"`, or the `ETag` of what you read.',
    examples: [1],
  })

/**
 * The body of an update: a JSON Merge Patch (RFC 7396) of the fields that can be changed, and the `revision` that it is
 * based on. A field that is not among them is refused by name.
 *
 * @param fields The schemas of the fields, without defaults; a field that null clears is nullable.
 */
export function changeOf<Fields extends z.core.$ZodLooseShape>(fields: Fields) {
  return z.strictObject(fields).partial().extend({ revision: sentRevision })
}

/** The revision of an update that may leave it out, because it was there before revisions were. */
export const optionalRevision = sentRevision.meta({
  description:
    'The revision that your change is based on, as you last read it; `If-Match: "1"` is the same. Without it the change is applied to the object as it is.',
  examples: [1],
})

/** The body of an operation that archives or unarchives. */
export const revisionOnly = z.strictObject({ revision: sentRevision })

/** The paragraph that the description of every update ends with. */
export const howToChange =
  'The body is a JSON Merge Patch: fields that you leave out stay as they are, and null clears a field. Send the ' +
  '`revision` that you last read; if the object has changed since, the answer is 409 `revision_conflict` with the ' +
  'object as it is now. A change that changes nothing keeps the revision and emits no event.'

/** The paragraph that the description of adding to an object ends with. */
export const howToAdd = 'Send the `revision` of the product that you last read.'

/** The paragraph that the description of archiving ends with. */
export const howToArchive =
  'Lists leave archived objects out unless you filter by `archived`. Send the `revision` that you last read.'

/** The errors of every change. */
export const changeErrors = ['resource_missing', 'revision_conflict'] as const

/** Properties of every event about a change. */
export const updatedProperties = {
  revision: z.int().meta({ description: 'The revision after the change.', examples: [2] }),
  changed: z.array(z.string()).meta({ description: 'The fields that have changed.', examples: [['name']] }),
}
