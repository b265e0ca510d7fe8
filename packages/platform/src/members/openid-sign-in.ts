import {
  beginCeremony,
  invitedBy,
  invitedMember,
  type MemberKey,
  noted,
  openSession,
  ownerOf,
  signInFailed,
  type SignInServices,
  type Step,
  takeCeremony,
  type Visitor,
} from './ceremonies.ts'
import { findIdentity, insertIdentity, newRecoveryCodes, noteUseOfIdentity } from './credentials.ts'
import { acceptInvitation, findMember, hashInvitation } from './member-records.ts'
import type { OpenIdPerson, OpenIdProvider } from './openid-provider.ts'
import { endSessionsOf, sessionsBegunBy } from './sessions.ts'

/** A page that the browser goes to next. */
type Away = Step<{ url: string }>
/** Result of a sign-in. Recovery codes where an invitation was accepted. */
type Finished = Step<{ recoveryCodes?: string[] }>

/**
 * The sign-in of members by OpenID Connect. An identity belongs to a member who has linked it: by accepting an
 * invitation with it, or while signed in. An e-mail address from the provider links nothing.
 */
export class OpenIdSignIn {
  readonly #services: SignInServices
  readonly #provider: OpenIdProvider

  constructor(services: SignInServices, provider: OpenIdProvider) {
    this.#services = services
    this.#provider = provider
  }

  /** Begins a sign-in, without a name: the provider identifies the member. */
  begin(): Promise<Away> {
    return this.#away(null, '')
  }

  /** Begins the acceptance of an invitation, which links the identity to the new member. */
  async beginAcceptance(token: string): Promise<Away> {
    const member = await invitedMember(token, this.#services)
    return this.#away(ownerOf(member), hashInvitation(token) ?? '')
  }

  /** Begins the linking of an identity to a signed-in member. */
  beginLink(owner: MemberKey): Promise<Away> {
    return this.#away(owner, '')
  }

  /** @param invitation The hash of an invitation that is accepted, or ''. */
  async #away(subject: MemberKey | null, invitation: string): Promise<Away> {
    const { ceremony } = await beginCeremony({ kind: 'openid', subject, challenge: invitation }, this.#services)
    return { body: { url: await this.#provider.authorizationUrl(ceremony) }, ceremony }
  }

  /**
   * Finishes what was begun in this browser.
   *
   * @param response The query that the provider has sent the browser back with.
   * @param signedIn The member whose session the browser has.
   */
  async finish(response: string, from: Visitor, signedIn: MemberKey | null): Promise<Finished> {
    const begun = await takeCeremony('openid', from, this.#services)
    const person = await this.#provider.person(response, from.ceremony ?? '')
    const { account_id: accountId, member_id: memberId, challenge: invitation } = begun
    if (accountId === null || memberId === null) return this.#signIn(person, from)
    if (invitation !== '') return this.#accept({ accountId, memberId }, { person, invitation, from })
    if (signedIn?.accountId !== accountId || signedIn.memberId !== memberId)
      throw signInFailed('This was begun by another member, or the session has ended; sign in and begin again.')
    return this.#link({ accountId, memberId }, person, from)
  }

  /**
   * Ends the sessions that a person has begun at the provider, which has signed them out: they have left, or were locked out
   * there. Those that were begun with a passkey stay.
   *
   * @param logoutToken As the provider has posted it.
   */
  async signOut(logoutToken: string, from: Visitor): Promise<void> {
    const identity = await findIdentity(await this.#provider.signedOut(logoutToken), this.#services.db)
    if (identity === null) return
    const owner = { accountId: identity.account_id, memberId: identity.member_id }
    const { count: ended, end } = await sessionsBegunBy('openid', owner, this.#services)
    if (ended === 0) return
    const after = { ended, method: 'openid' }
    const entry = await noted({ ...owner, operation: 'me.signOut', after }, from, this.#services)
    await this.#services.db.write([end, ...entry].map(({ onRefused: _, ...each }) => each))
  }

  async #signIn(person: OpenIdPerson, from: Visitor): Promise<Finished> {
    const identity = await findIdentity(person, this.#services.db)
    const member = identity && (await findMember(identity.account_id, identity.member_id, this.#services.db))
    if (identity === null || member?.status !== 'active')
      throw signInFailed(
        `No member signs in with this account of ${this.#provider.name}. Open the link of your invitation, or sign in with a passkey and add the account in the console.`,
      )
    const owner = { ...ownerOf(member), method: 'openid' } as const
    const writes = [noteUseOfIdentity(identity, this.#services.clock.now())]
    return { body: {}, session: await openSession(owner, { from, writes }, this.#services) }
  }

  async #accept(
    begunFor: MemberKey,
    { person, invitation, from }: { person: OpenIdPerson; invitation: string; from: Visitor },
  ): Promise<Finished> {
    const member = await invitedBy(invitation, this.#services)
    if (member.id !== begunFor.memberId) throw signInFailed('This invitation is for another member; begin again.')
    const linked = await this.#linkWrite(begunFor, person)
    const { codes, writes } = newRecoveryCodes(begunFor, this.#services)
    const accepted = [
      ...acceptInvitation(member, invitation, this.#services),
      endSessionsOf(begunFor.accountId, begunFor.memberId),
      linked,
      ...writes,
    ]
    const owner = { ...begunFor, method: 'openid' } as const
    const session = await openSession(owner, { from, writes: accepted }, this.#services)
    return { body: { recoveryCodes: codes }, session }
  }

  async #link(owner: MemberKey, person: OpenIdPerson, from: Visitor): Promise<Finished> {
    const write = await this.#linkWrite(owner, person)
    const after = { issuer: person.issuer, subject: person.subject }
    const entry = await noted({ ...owner, operation: 'me.addIdentity', after }, from, this.#services)
    const outcome = await this.#services.db.write([write, ...entry].map(({ onRefused: _, ...each }) => each))
    if (outcome.outcome !== 'committed') throw this.#taken()
    return { body: {} }
  }

  async #linkWrite(owner: MemberKey, person: OpenIdPerson) {
    const known = await findIdentity(person, this.#services.db)
    if (known === null) return insertIdentity(owner, person, this.#services)
    if (known.account_id !== owner.accountId || known.member_id !== owner.memberId) throw this.#taken()
    return noteUseOfIdentity(known, this.#services.clock.now())
  }

  #taken() {
    return signInFailed(
      `This account of ${this.#provider.name} signs in another member already; unlink it there first, or use another one.`,
    )
  }
}
