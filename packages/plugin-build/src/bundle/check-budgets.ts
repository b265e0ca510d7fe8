import type { Problem } from '../problem.ts'
import type { Budgets } from './bundle-options.ts'
import type { BundleReport, InputSize } from './bundle.ts'

/** An error for each budget that the build does not keep. They stand in the manifest, where the reader finds them. */
export function checkBudgets(report: BundleReport, { pageBytes, totalBytes }: Budgets): Problem[] {
  const { pages, publicBytes } = report
  const heavy = pageBytes === undefined ? [] : pages.filter(({ brotliBytes }) => brotliBytes > pageBytes)
  const problems = heavy.map(({ id, brotliBytes, biggestInputs: [input] }) => {
    const rule = `The page "${id}" loads ${said(brotliBytes)} at first, compressed by brotli; its budget is ${said(pageBytes ?? 0)}.`
    return problem('pageBytes', rule, remedy(input))
  })
  if (totalBytes === undefined || publicBytes <= totalBytes) return problems
  const rule = `The public files have ${said(publicBytes)} together; their budget is ${said(totalBytes)}.`
  const largest = pages.flatMap(({ files }) => files).toSorted((a, b) => b.bytes - a.bytes)
  return [...problems, problem('totalBytes', rule, remedy(largest[0]))]
}

function problem(field: string, rule: string, fix: string): Problem {
  const place = { file: 'plugin.manifest.json', line: 1, column: 1, pointer: `/budgets/${field}` }
  return { code: 'over-budget', severity: 'error', ...place, rule, fix }
}

function remedy(input: InputSize | undefined): string {
  const largest =
    input === undefined ? '' : ` The biggest part is ${input.path} with ${said(input.bytes)} before compression.`
  return `Import less, or import it when it is needed, or raise the budget.${largest}`
}

/** `12,345 B` */
function said(bytes: number): string {
  return `${bytes.toLocaleString('en-US')} B`
}
