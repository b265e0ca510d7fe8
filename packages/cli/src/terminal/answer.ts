import { errorDocument, failWith } from './fail-with.ts'

/** How a command's answer is wanted. */
export interface OutputOptions {
  json?: boolean
}

/** What `--json` is called everywhere. */
export const jsonOption = ['--json', 'print the answer as one JSON document, for programs'] as const

/**
 * Does a command's work and prints what came of it. The standard output has the answer alone: as text for people, or as
 * one JSON document, which tells a failure too. Everything else goes to the standard error.
 */
export async function answer<Result>(
  { json }: OutputOptions,
  work: () => Promise<Result>,
  show: (result: Result) => string,
): Promise<void> {
  try {
    const result = await work()
    process.stdout.write(json === true ? asJson(result) : show(result))
  } catch (error) {
    if (json === true) process.stdout.write(asJson(errorDocument(error)))
    failWith(error)
  }
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
