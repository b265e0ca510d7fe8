import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract, memberRoles, type Operation, roleAllows } from '../packages/contract/src/index.ts'

/** The page of roles and operations: `node .ci/member-roles.ts` writes it, `--check` compares it. */
const PAGE = join(import.meta.dirname, '../apps/docs/pages/security/member-roles.md')

/** Whether the page has an operation: those of buyers' pages are no member's, and those without a scope every member's own. */
export function hasLine({ audience, scope }: Operation): boolean {
  return audience === 'key' || audience === 'admin' || (audience === 'console' && scope !== undefined)
}

/** Permissions of each role of members, operation by operation, as Markdown. */
export function roleTable(): string {
  const operations = Object.entries(contract).flatMap(([group, named]) =>
    Object.entries<Operation>(named).map(([name, operation]) => ({ id: `${group}.${name}`, operation })),
  )
  const rows = operations
    .filter(({ operation }) => hasLine(operation))
    .map(({ id, operation }) => [
      `\`${id}\``,
      operation.scope === undefined ? '-' : `\`${operation.scope}\``,
      ...memberRoles.map((role) => (roleAllows(role, operation) ? 'yes' : '-')),
    ])
  const head = ['operation', 'scope', ...memberRoles.map((role) => role.replace('_', ' '))]
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return `# Roles and operations

What [members](members.md) of each role may do, generated from the contract by \`pnpm run fields\`; \`pnpm check\` fails when this
page is not current, and a test calls every operation as every role. What a member may do is the scope of the operation alone;
operations without one are about a key. Every member reads and changes what is the member's own: sessions, passkeys, recovery
codes.

${[line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')}
`
}

if (import.meta.main) {
  if (!process.argv.includes('--check')) writeFileSync(PAGE, roleTable())
  else if (readFileSync(PAGE, 'utf8') !== roleTable()) {
    console.log('apps/docs/pages/security/member-roles.md is not current: run `pnpm run fields`.')
    process.exitCode = 1
  }
}
