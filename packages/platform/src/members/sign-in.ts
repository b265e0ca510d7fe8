import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { rowReader } from '../storage/index.ts'
import {
  accountName,
  beginCeremony,
  invitedMember,
  noted,
  openSession,
  ownerOf,
  signInFailed,
  type SignInServices,
  type Step,
  takeCeremony,
  type Visitor,
} from './ceremonies.ts'
import type { ConsolePlace } from './console-place.ts'
import {
  findPasskey,
  hashRecoveryCode,
  insertPasskey,
  newRecoveryCodes,
  noteUseOfPasskey,
  passkeysOf,
  useRecoveryCode,
} from './credentials.ts'
import { acceptInvitation, findMember, hashInvitation, type MemberRow } from './member-records.ts'
import { endSessionsOf } from './sessions.ts'
import { recoveryCodesTable } from './tables.ts'

/** Loaded at the first sign-in: it is a tenth of the start, and many processes never need it. */
const webAuthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256, by their numbers at IANA: what every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257]

/** The sign-in of members: with a passkey, with a recovery code, and for the first time by an invitation. */
export class MemberSignIn {
  readonly #services: SignInServices
  readonly #place: ConsolePlace

  constructor(services: SignInServices, place: ConsolePlace) {
    this.#services = services
    this.#place = place
  }

  get #expected() {
    return { expectedOrigin: this.#place.origin, expectedRPID: this.#place.rpId }
  }

  async #registrationOptions(member: MemberRow, challenge: string) {
    const known = await passkeysOf(member.account_id, member.id, this.#services.db)
    const { generateRegistrationOptions } = await webAuthn()
    return generateRegistrationOptions({
      rpName: await accountName(member.account_id, this.#services),
      rpID: this.#place.rpId,
      userName: member.email,
      userDisplayName: member.name ?? member.email,
      userID: new Uint8Array(Buffer.from(member.id)),
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  }

  async #verifiedPasskey(
    sent: { name: string; response: RegistrationResponseJSON },
    challenge: string,
    owner: MemberRow,
  ) {
    const { verifyRegistrationResponse } = await webAuthn()
    const asked = { expectedChallenge: challenge, ...this.#expected, supportedAlgorithmIDs: ALGORITHMS }
    const { registrationInfo: info } = await tried(() =>
      verifyRegistrationResponse({ response: sent.response, ...asked }),
    )
    if (info === undefined) throw signInFailed('The passkey could not be verified; begin again.')
    const passkey = {
      account_id: owner.account_id,
      member_id: owner.id,
      credential_id: info.credential.id,
      public_key: Buffer.from(info.credential.publicKey).toString('base64url'),
      counter: info.credential.counter,
      transports: (info.credential.transports ?? []).map(String),
      name: sent.name,
      backed_up: info.credentialBackedUp,
    }
    return insertPasskey(passkey, this.#services)
  }

  /** Begins a sign-in with a passkey, without a name: the passkey identifies the member. */
  async begin(): Promise<Step<PublicKeyCredentialRequestOptionsJSON>> {
    const { ceremony, challenge } = await beginCeremony({ kind: 'sign_in', subject: null }, this.#services)
    const { generateAuthenticationOptions } = await webAuthn()
    const body = await generateAuthenticationOptions({
      rpID: this.#place.rpId,
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      userVerification: 'required',
    })
    return { body, ceremony }
  }

  /** @throws {ApiError} `sign_in_failed`, the same whatever is wrong. */
  async withPasskey(response: AuthenticationResponseJSON, from: Visitor): Promise<Step<object>> {
    const { challenge } = await takeCeremony('sign_in', from, this.#services)
    const passkey = await findPasskey(response.id, this.#services.db)
    const member = passkey && (await findMember(passkey.account_id, passkey.member_id, this.#services.db))
    if (passkey === null || member?.status !== 'active') throw signInFailed('This passkey is not known here.')
    const credential = {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    }
    const { verifyAuthenticationResponse } = await webAuthn()
    const { verified, authenticationInfo } = await tried(() =>
      verifyAuthenticationResponse({ response, expectedChallenge: challenge, ...this.#expected, credential }),
    )
    // A discoverable passkey says whose it is; what it says has to agree.
    const handle = response.response.userHandle
    const isOwn = handle === undefined || Buffer.from(handle, 'base64url').toString() === member.id
    if (!verified || !isOwn) throw signInFailed('The passkey could not be verified; begin again.')
    const use = noteUseOfPasskey(passkey, authenticationInfo.newCounter, this.#services.clock.now())
    const owner = { accountId: member.account_id, memberId: member.id, method: 'passkey' } as const
    return { body: {}, session: await openSession(owner, { from, writes: [use] }, this.#services) }
  }

  /** @throws {ApiError} `sign_in_failed`, the same for an unknown address and for a wrong code. */
  async withRecoveryCode(sent: { email: string; code: string }, from: Visitor): Promise<Step<object>> {
    const hashed = hashRecoveryCode(sent.code)
    const [code] = readCodes(await this.#services.db.read('SELECT * FROM recovery_codes WHERE hash = ?', [hashed]))
    const member = code === undefined ? null : await findMember(code.account_id, code.member_id, this.#services.db)
    if (code === undefined || member?.status !== 'active' || member.email !== sent.email.trim().toLowerCase())
      throw signInFailed('The e-mail address and the recovery code do not fit, or the code was used.')
    const owner = { accountId: member.account_id, memberId: member.id, method: 'recovery_code' } as const
    const used = useRecoveryCode(member.account_id, member.id, hashed)
    return { body: {}, session: await openSession(owner, { from, writes: [used] }, this.#services) }
  }

  /** Begins the acceptance of an invitation, which makes the first passkey. */
  async beginAcceptance(
    token: string,
  ): Promise<Step<{ email: string; accountName: string; options: PublicKeyCredentialCreationOptionsJSON }>> {
    const member = await invitedMember(token, this.#services)
    const { ceremony, challenge } = await beginCeremony({ kind: 'accept', subject: ownerOf(member) }, this.#services)
    const name = await accountName(member.account_id, this.#services)
    return {
      body: { email: member.email, accountName: name, options: await this.#registrationOptions(member, challenge) },
      ceremony,
    }
  }

  /** Accepts an invitation: the member has a passkey and recovery codes, and is signed in. */
  async accept(
    sent: { token: string; name: string; response: RegistrationResponseJSON },
    from: Visitor,
  ): Promise<Step<{ recoveryCodes: string[] }>> {
    const { challenge, member_id: begunFor } = await takeCeremony('accept', from, this.#services)
    const member = await invitedMember(sent.token, this.#services)
    if (member.id !== begunFor) throw signInFailed('This sign-in was begun with another invitation; begin again.')
    const passkey = await this.#verifiedPasskey(sent, challenge, member)
    const owner = { accountId: member.account_id, memberId: member.id, method: 'invitation' } as const
    const { codes, writes } = newRecoveryCodes(owner, this.#services)
    const accepted = [
      ...acceptInvitation(member, hashInvitation(sent.token), this.#services),
      endSessionsOf(owner.accountId, owner.memberId),
      passkey,
      ...writes,
    ]
    return {
      body: { recoveryCodes: codes },
      session: await openSession(owner, { from, writes: accepted }, this.#services),
    }
  }

  /** Begins the addition of a passkey to a signed-in member. */
  async beginPasskey(owner: {
    accountId: string
    memberId: string
  }): Promise<Step<PublicKeyCredentialCreationOptionsJSON>> {
    const { ceremony, challenge } = await beginCeremony({ kind: 'add_passkey', subject: owner }, this.#services)
    const member = await findMember(owner.accountId, owner.memberId, this.#services.db)
    if (member === null) throw signInFailed('This member does not exist any more.')
    return { body: await this.#registrationOptions(member, challenge), ceremony }
  }

  async addPasskey(
    owner: { accountId: string; memberId: string },
    sent: { name: string; response: RegistrationResponseJSON },
    from: Visitor,
  ): Promise<Step<object>> {
    const begun = await takeCeremony('add_passkey', from, this.#services)
    const member = await findMember(owner.accountId, owner.memberId, this.#services.db)
    if (member === null || begun.member_id !== owner.memberId || begun.account_id !== owner.accountId)
      throw signInFailed('This was begun by another member; begin again.')
    const { onRefused: _, ...write } = await this.#verifiedPasskey(sent, begun.challenge, member)
    const change = { ...owner, operation: 'me.addPasskey', after: { method: 'add_passkey' } }
    const entry = await noted(change, from, this.#services)
    const outcome = await this.#services.db.write([write, ...entry.map(({ onRefused: __, ...each }) => each)])
    if (outcome.outcome !== 'committed') throw signInFailed('This passkey is known already; use another one.')
    return { body: {} }
  }
}

const readCodes = rowReader(recoveryCodesTable)
/** The library throws for any fault of a response, and the caller learns no more than that. */
async function tried<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch (error) {
    throw signInFailed('The passkey could not be verified; begin again.', error)
  }
}
