import { z } from 'zod'
import { idOf, reference } from '../ids.ts'
import { MEMBER_STORES_MAX, NAME_MAX_CHARS } from '../limits.ts'
import { name, timestamp } from '../text.ts'

/** The roles of members, from most to least rights. */
export const memberRoles = ['owner', 'developer', 'operations', 'support', 'read_only'] as const
export type MemberRole = (typeof memberRoles)[number]

/** The role of a member. */
export const memberRole = z.enum(memberRoles)

/** An e-mail address, read in lower case: a person has one however it is typed. */
const memberEmail = z
  .email()
  .max(NAME_MAX_CHARS - 1)
  .overwrite((sent) => sent.toLowerCase())
  .meta({ examples: ['ada@example.com'] })

const storeIds = z.array(reference).min(1).max(MEMBER_STORES_MAX)

/** The status of a member who was not removed. */
export const presentMember = z.enum(['invited', 'active'])

/** A person who works with an account. */
export const member = z
  .object({
    id: idOf('member', 'The id of the member.'),
    accountId: idOf('account', 'The account.'),
    email: z.string().meta({ description: 'The e-mail address, in lower case.', examples: ['ada@example.com'] }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'The name; null if none was given.', examples: ['Ada'] }),
    role: memberRole.meta({ description: 'The role; it decides the scopes of the member.' }),
    storeIds: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The stores that the member is limited to; null for all stores.', examples: [null] }),
    status: z.enum([...presentMember.options, 'removed']).meta({
      description: '`invited` until the invitation is accepted; `removed` for good.',
      examples: ['active'],
    }),
    invitationExpiresAt: timestamp
      .nullable()
      .meta({ description: 'When the open invitation expires; null if there is none.', examples: [null] }),
    createdAt: timestamp.meta({ description: 'When the member was invited first.' }),
  })
  .meta({ id: 'Member', description: 'A person who works with an account in the console.' })
export type Member = z.infer<typeof member>

/** The body of an invitation. */
export const newMember = z
  .object({
    email: memberEmail.meta({ description: 'The e-mail address of the person. One person is one member.' }),
    name: name.optional().meta({ description: 'The name of the person, for lists.', examples: ['Ada'] }),
    role: memberRole.meta({ description: 'The role of the new member.', examples: ['support'] }),
    storeIds: storeIds.optional().meta({
      description: 'The stores to limit the member to; leave it out for all stores. An owner has all.',
      examples: [['store_0VbVJmlc4sQm9ZtKcWfH2d']],
    }),
  })
  .meta({ id: 'NewMember', description: 'A person to invite.' })
export type NewMember = z.infer<typeof newMember>

/** A change of a member. */
export const memberUpdate = z
  .object({
    name: name.optional().meta({ description: 'The new name.', examples: ['Ada'] }),
    role: memberRole.optional().meta({ description: 'The new role; it holds from the next request on.' }),
    storeIds: storeIds
      .nullable()
      .optional()
      .meta({ description: 'The stores to limit the member to; null for all stores.', examples: [null] }),
  })
  .meta({ id: 'MemberUpdate', description: 'A change of a member. Fields that are left out stay as they are.' })
export type MemberUpdate = z.infer<typeof memberUpdate>

/** A member with the link of the invitation. */
export const invitedMember = z
  .object({
    member,
    link: z.string().meta({
      description: 'The one-time link to hand to the person. It is shown once, and only its hash is stored.',
      examples: ['https://api.shop.example/console/accept#inv_3m1Qd0'],
    }),
    expiresAt: timestamp.meta({ description: 'When the link expires.' }),
  })
  .meta({ id: 'InvitedMember', description: 'An invited member, with the one-time link.' })

/** How a member signed in. */
export const signInMethod = z.enum(['passkey', 'recovery_code', 'invitation', 'openid'])
export type SignInMethod = z.infer<typeof signInMethod>

/** A signed-in browser of a member. */
export const memberSession = z
  .object({
    id: idOf('memberSession', 'The id of the session. It opens nothing.'),
    memberId: idOf('member', 'The member.'),
    method: signInMethod.meta({ description: 'How the member signed in.', examples: ['passkey'] }),
    address: z.string().meta({ description: 'The network address of the sign-in.', examples: ['203.0.113.7'] }),
    userAgent: z
      .string()
      .nullable()
      .meta({ description: '`User-Agent` of the browser at the sign-in.', examples: ['Mozilla/5.0'] }),
    createdAt: timestamp.meta({ description: 'When the member signed in.' }),
    lastUsedAt: timestamp.meta({ description: 'When the session was last used, to the minute.' }),
    expiresAt: timestamp.meta({
      description: 'When the session ends, however much it is used.',
      examples: ['2026-11-20T21:30:00.000Z'],
    }),
    isCurrent: z.boolean().meta({ description: 'Whether the request was made with this session.', examples: [true] }),
  })
  .meta({ id: 'MemberSession', description: 'A browser in which a member is signed in.' })
export type MemberSession = z.infer<typeof memberSession>

/** All sessions of a member. */
export const memberSessions = z.object({
  data: z.array(memberSession).meta({ description: 'The sessions that have not ended, newest first.' }),
})

/** How many sessions were ended. */
export const endedSessions = z.object({
  ended: z.int().meta({ description: 'The number of sessions that were ended.', examples: [2] }),
})

/** The credential of a member. */
const passkey = z.object({
  id: idOf('passkey', 'The id of the passkey.'),
  name: z.string().meta({ description: 'Name that the member gave it.', examples: ['Laptop'] }),
  isBackedUp: z.boolean().meta({ description: 'Whether it is kept by more than one device.', examples: [true] }),
  createdAt: timestamp.meta({ description: 'When it was added.' }),
  lastUsedAt: timestamp.nullable().meta({ description: 'When it was last used; null if never.', examples: [null] }),
})

/** An account at the OpenID Connect provider. */
const identity = z.object({
  id: idOf('memberIdentity', 'The id of the link between the member and the account at the provider.'),
  issuer: z.string().meta({ description: 'The provider.', examples: ['https://login.company.example'] }),
  email: z
    .string()
    .nullable()
    .meta({
      description: 'The provider’s name of the account; it identifies no member.',
      examples: ['ada@example.com'],
    }),
  createdAt: timestamp.meta({ description: 'When it was linked.' }),
  lastUsedAt: timestamp.nullable().meta({ description: 'When it was last used; null if never.', examples: [null] }),
})

/** The signed-in member, for the menus of the console. */
export const signedInMember = z
  .object({
    member,
    accountName: z.string().meta({ description: 'The name of the account.', examples: ['Shop'] }),
    scopes: z.array(z.string()).meta({
      description: 'The scopes of the role. A menu shows what one of them allows, and nothing else.',
      examples: [['payments:read', 'refunds:write']],
    }),
    operations: z.array(z.string()).meta({
      description:
        'The operations of the API that the member may call, by name: those that the role allows and, of a member of some stores, that can be about a store.',
      examples: [['payments.get', 'payments.refund']],
    }),
    passkeys: z.array(passkey).meta({ description: 'The passkeys, oldest first.' }),
    identities: z.array(identity).meta({
      description: 'The accounts at the OpenID Connect provider that the member signs in with, oldest first.',
    }),
    recoveryCodesLeft: z.int().meta({ description: 'The number of unused recovery codes.', examples: [10] }),
    sessionId: idOf('memberSession', 'The session of the request.'),
  })
  .meta({ id: 'SignedInMember', description: 'The signed-in member with rights, passkeys and recovery codes.' })

/** New recovery codes. */
export const recoveryCodes = z.object({
  codes: z.array(z.string()).meta({
    description: 'Ten codes that sign in once each. They are shown once, and former ones stop working.',
    examples: [['7d3k-9vq2-m4xw-h8tp']],
  }),
})
