import { contract, type JsonSchema, type Operation } from '@tillwright/contract'
import { z } from 'zod'

/** An operation with its name in the contract, such as `products.create`. */
export interface NamedOperation {
  id: string
  operation: Operation
}

/** Every operation of the contract. */
export const operations: readonly NamedOperation[] = Object.entries(contract).flatMap(([group, named]) =>
  Object.entries<Operation>(named).map(([name, operation]) => ({ id: `${group}.${name}`, operation })),
)

/** The operations that read a body. */
export const operationsWithBody = operations.filter(({ operation }) => operation.body !== undefined)

/** Whether a status is one of the operation's successes. */
export function isSuccess({ status, existingStatus }: Operation, answer: { status: number }): boolean {
  return answer.status === status || answer.status === existingStatus
}

/** Schema of a request's input, as JSON Schema. */
export function sentSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}
