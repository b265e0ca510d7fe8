import { ApiError } from '../ambient/api-error.ts'
import { OperatorError } from '../ambient/operator-error.ts'

/** What a parameter of the API is called on the command line, where it has another name there. */
const options: Readonly<Record<string, string>> = {
  endpointId: '--endpoint',
  limit: '--limit',
  after: '--after',
}

/** The rules of the API, told to an operator: an `ApiError` becomes an `OperatorError`, any other stays what it is. */
export function tellOperator(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { param } = error.details
  return new OperatorError(param === undefined ? error.message : `${options[param] ?? param}: ${error.message}`)
}
