import type { OutgoingHttpHeaders } from 'node:http'
import type { MemberRole } from '@tillwright/contract'
import { commit } from '../src/http/operations/commit.ts'
import { invitation } from '../src/members/member-records.ts'
import { newMemberSession } from '../src/members/sessions.ts'
import { newId, systemRandomness } from '../src/runtime/randomness.ts'
import type { Answer, SentRequest } from './send-request.ts'
import { softAuthenticator } from './soft-authenticator.ts'
import type { TestPlatform } from './test-platform.ts'

/** The headers of a page of the console, with the cookie of its session. */
export function consoleHeaders({ apiUrl }: Pick<TestPlatform, 'apiUrl'>, token: string | null): OutgoingHttpHeaders {
  return {
    Origin: new URL(apiUrl).origin,
    'Sec-Fetch-Site': 'same-origin',
    'Tillwright-Console': '1',
    ...(token !== null && { Cookie: `tillwright_console=${token}` }),
  }
}

/** A member who is signed in, put into the database. */
export interface PlacedMember {
  memberId: string
  sessionId: string
  token: string
}

/** Puts a member with a session into the local account. */
export async function placeMember(
  { services, local }: TestPlatform,
  { role = 'owner', storeIds = null }: { role?: MemberRole; storeIds?: readonly string[] | null } = {},
): Promise<PlacedMember> {
  const drawn = { clock: services.clock, randomness: systemRandomness() }
  const email = `${newId('mem', 0, drawn.randomness).toLowerCase()}@example.com`
  const { accountId } = local
  const { member, writes } = invitation({ accountId, email, name: null, role, storeIds }, null, drawn)
  const accepted = {
    sql: `UPDATE members SET status = 'active', invitation_hash = NULL, invitation_expires_at = NULL
      WHERE account_id = ? AND id = ?`,
    params: [accountId, member.id],
  }
  await commit([...writes, accepted], services)
  return { memberId: member.id, ...(await placeSession({ services, local }, member.id)) }
}

/** Signs a member in, in the database. */
export async function placeSession(
  { services, local }: Pick<TestPlatform, 'services' | 'local'>,
  memberId: string,
): Promise<{ sessionId: string; token: string }> {
  const drawn = { clock: services.clock, randomness: systemRandomness() }
  const from = { method: 'passkey', address: '203.0.113.7', userAgent: 'Test' } as const
  const { id, token, write } = newMemberSession({ accountId: local.accountId, memberId, ...from }, drawn)
  await commit([write], services)
  return { sessionId: id, token }
}

/** Puts a passkey of a member into the database; it cannot be used to sign in. */
export async function placePasskey({ services, local }: TestPlatform, memberId: string): Promise<string> {
  const id = newId('psk', services.clock.now(), systemRandomness())
  const sql = `INSERT INTO passkeys (account_id, id, member_id, credential_id, public_key, counter, transports, name,
    backed_up, created_at) VALUES (?, ?, ?, ?, 'none', 0, '[]', 'Phone', 0, 0)`
  await commit([{ sql, params: [local.accountId, id, memberId, id] }], services)
  return id
}

/** Links an account at a provider to a member, in the database. */
export async function placeIdentity({ services, local }: TestPlatform, memberId: string): Promise<string> {
  const id = newId('idn', services.clock.now(), systemRandomness())
  const sql = `INSERT INTO member_identities (account_id, id, member_id, issuer, subject, created_at)
    VALUES (?, ?, ?, 'https://login.example', ?, 0)`
  await commit([{ sql, params: [local.accountId, id, memberId, id] }], services)
  return id
}

/** A browser with its cookies and an authenticator, on pages of the console. */
export function consoleBrowser(platform: TestPlatform) {
  const cookies = new Map<string, string>()
  const { origin, hostname: rpId } = new URL(platform.apiUrl)
  const authenticator = softAuthenticator()

  async function send(method: string, path: string, { headers, ...sent }: SentRequest = {}): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const own = { ...consoleHeaders(platform, null), ...(cookie !== '' && { Cookie: cookie }) }
    const answer = await platform.request(method, path, { key: '', ...sent, headers: { ...own, ...headers } })
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const post = (path: string, body: unknown, headers?: OutgoingHttpHeaders) =>
    send('POST', path, { body, ...(headers && { headers }) })

  return {
    cookies,
    origin,
    rpId,
    authenticator,
    send,
    post,
    /** Accepts an invitation with a passkey of this browser. */
    async accept(link: string): Promise<Answer> {
      const token = new URL(link).hash.slice(1)
      const begun = await post('/console/accept/begin', { token })
      if (begun.status !== 200) return begun
      const { options } = begun.body as { options: Parameters<typeof authenticator.create>[0] } // the page's own
      const response = authenticator.create(options, { origin })
      return post('/console/accept/finish', { token, name: 'Laptop', response })
    },
    /** The options of a sign-in that begins here. */
    async begin(): Promise<Parameters<typeof authenticator.get>[0]> {
      const { body } = await post('/console/sign-in/begin', {})
      return body as Parameters<typeof authenticator.get>[0] // the page's own
    },
    /** Signs in with the passkey of this browser. */
    async signIn(): Promise<Answer> {
      const response = authenticator.get(await this.begin(), { origin })
      return post('/console/sign-in/passkey', { response })
    },
  }
}
