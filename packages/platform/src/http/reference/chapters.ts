import type { DescribedOperation, OpenApiDocument } from '@tillwright/contract'

/** An operation with its place. */
export interface PlacedOperation {
  method: string
  path: string
  operation: DescribedOperation
}

/** A part of the reference with a page of its own. */
export interface Chapter {
  name: string
  title: string
  description: string
  operations: readonly PlacedOperation[]
}

/** The chapters in their order; that of the events has no operations. */
export function chaptersOf({ tags, paths }: OpenApiDocument): Chapter[] {
  const placed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  return tags.map(({ name, 'x-displayName': title, description }) => ({
    name,
    title,
    description,
    operations: placed.filter(({ operation }) => operation.tags[0] === name),
  }))
}

/** The anchor of an operation on its chapter's page. */
export function anchorOf({ method, path }: Pick<PlacedOperation, 'method' | 'path'>): string {
  return `${method}${path}`
}
