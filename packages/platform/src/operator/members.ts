import { type Member, type MemberRole, memberRole } from '@tillwright/contract'
import { commit } from '../http/index.ts'
import { findByEmail, invitation, invitationLink } from '../members/index.ts'
import { OperatorError } from '../runtime/index.ts'
import { checkName, chooseAccount } from './accounts.ts'
import { type OperatorServices, recordCommand } from './operator-services.ts'

/** A person to invite. `account` may be omitted if there is only one. */
interface WantedMember {
  account?: string
  email: string
  name?: string
  role: MemberRole
}

/** A member with the one-time link, which cannot be shown again. */
type InvitedByOperator = Member & { link: string; expiresAt: string }

/** Operator commands for the people of accounts: the first owner, and members who have lost every way to sign in. */
export interface MemberManagement {
  invite(wanted: WantedMember): Promise<InvitedByOperator>
}

/** @param apiUrl Where the console of the platform is. */
export function manageMembers(services: OperatorServices, apiUrl: string): MemberManagement {
  return {
    async invite({ account, email, name, role }) {
      const accountId = await chooseAccount(services.db, account)
      const wanted = {
        accountId,
        email: checkEmail(email),
        name: name === undefined ? null : checkName(name),
        role: memberRole.parse(role),
        storeIds: null,
      }
      const known = await findByEmail(accountId, wanted.email, services.db)
      const { member, token, expiresAtMs, writes } = invitation(wanted, known, services)
      const resource = { type: 'member', id: member.id }
      const noted = recordCommand({ accountId, operation: 'members.invite', resource, after: member }, services)
      await commit([...writes, ...noted], services)
      return { ...member, link: invitationLink(apiUrl, token), expiresAt: new Date(expiresAtMs).toISOString() }
    },
  }
}

function checkEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && email.length < 255) return email
  throw new OperatorError('--email: must be an e-mail address, such as ada@example.com.')
}
