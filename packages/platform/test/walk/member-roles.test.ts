import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MemberRole, memberRoles, roleAllows, rolesWith, scopesOfRole } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { hasLine, roleTable } from '../../../../.ci/member-roles.ts'
import { addressOf } from '../address-of.ts'
import { consoleHeaders, placeMember } from '../console-browser.ts'
import { sharedPlatform } from '../test-platform.ts'
import { operations } from './operations.ts'

const platform = sharedPlatform()
const tokens = new Map<MemberRole, string>()

const cells = operations.flatMap(({ id, operation }) => memberRoles.map((role) => ({ id, operation, role })))
const page = readFileSync(join(import.meta.dirname, '../../../../apps/docs/pages/security/member-roles.md'), 'utf8')

test.for(cells)('$role and $id: the API allows what the table and the page say', async ({ id, operation, role }) => {
  const token = tokens.get(role) ?? (await placeMember(platform(), { role })).token
  tokens.set(role, token)
  // To nothing that exists, so that what is allowed changes nothing and comes to 400 or 404.
  const params = Object.fromEntries(Object.keys(operation.params?.shape ?? {}).map((name) => [name, 'none']))
  const { method, path } = addressOf(operation, { params })
  const origin = operation.audience === 'frame' ? platform().vaultUrl : platform().apiUrl
  const body = operation.body === undefined ? undefined : '{'
  const answer = await platform().request(method, path, {
    key: '',
    headers: { ...consoleHeaders({ apiUrl: origin }, token), Origin: new URL(platform().apiUrl).origin },
    body,
  })
  const isAllowed = roleAllows(role, operation)
  const refusals = [401, 403, ...(operation.audience === 'frame' ? [404] : [])]
  expect(refusals.includes(answer.status), `${answer.status} ${answer.text}`).toBe(!isAllowed)
  if (answer.status === 403 && operation.scope !== undefined)
    expect(answer.error.message).toContain(`Needs the scope ${operation.scope}, which ${rolesWith(operation.scope)} ha`)
  if (answer.status === 403 && operation.scope === undefined && answer.error.code === 'scope_missing')
    expect(answer.error.message).toContain('with an API key')
  if (hasLine(operation)) {
    const cell = page
      .split('\n')
      .find((line) => line.startsWith(`| \`${id}\``))
      ?.split(' | ')[2 + memberRoles.indexOf(role)]
    expect(cell?.replace(' |', '').trim()).toBe(isAllowed ? 'yes' : '-')
  }
  // The session of a sign-out is over.
  if (id.startsWith('me.signOut') || id === 'me.endSession') tokens.delete(role)
})

test('the page is what the contract says', () => {
  expect(page).toBe(roleTable())
})

test('an owner may do everything, and no other role decides who the members are', () => {
  for (const role of memberRoles) {
    const others = memberRoles.slice(0, memberRoles.indexOf(role))
    for (const scope of scopesOfRole[role]) expect(scopesOfRole.owner).toContain(scope)
    expect(scopesOfRole[role].includes('members:write')).toBe(others.length === 0)
  }
})
