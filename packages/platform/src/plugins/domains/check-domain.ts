import type { Contract, DomainCheck } from '@tillwright/contract'
import { requireStore } from '../../catalog/index.ts'
import { isPublicAddress } from '../../events/index.ts'
import type { Handler, RequestContext } from '../../request-context.ts'
import type { NameServers, PluginHosting } from '../hosting.ts'
import { readHostname, refuseOwn } from './promote.ts'
import { inTime, proofOf, proves } from './proof.ts'
import { ownerOf } from './routes.ts'

type DomainRecord = DomainCheck['records'][number]

/** Tells which records a host name needs, and what name servers say of it now. */
export function checkDomain(hosting: PluginHosting): Handler<Contract['pluginManagement']['checkDomain']> {
  const { names, pluginsUrl } = hosting
  return async ({ query }, context) => {
    await requireStore(query.storeId, context)
    const hostname = readHostname(query.hostname, 'hostname')
    refuseOwn({ hostname, param: 'hostname' }, hosting)
    const ownerId = await ownerOf(hostname, context.services.db)
    const owner = ownerId === null ? 'nobody' : ownerId === context.caller.accountId ? 'you' : 'another'
    const isProven = owner === 'you'
    const [ownership, address] = await Promise.all([
      checkOwnership(hostname, { isProven, names, context }),
      checkAddress(hostname, { pluginsUrl, names, context }),
    ])
    const isAccepted = ownership.status === 'found' || ownership.status === 'not_needed'
    return { body: { hostname, owner, ready: owner !== 'another' && isAccepted, records: [ownership, address] } }
  }
}

interface Checking {
  names: NameServers
  context: RequestContext
}

async function checkOwnership(
  hostname: string,
  { isProven, names, context }: Checking & { isProven: boolean },
): Promise<DomainRecord> {
  const { name, value } = proofOf(hostname, context)
  const record = { purpose: 'ownership', type: 'TXT', name, value } as const
  if (isProven || context.services.environment === 'local') return { ...record, found: [], status: 'not_needed' }
  const lookup = await inTime(names.txt(name), context)
  if (lookup.outcome !== 'answered') return { ...record, found: [], status: 'unknown' }
  return { ...record, ...judge([...lookup.found], (each) => proves(each, value)) }
}

/** Below the plugins' host every name leads to the platform; this one is no deployment's. */
const TARGET = 'domains'

/**
 * Compares addresses: a CNAME, an ALIAS of some name servers, and A records all come to that. Anyone may ask for any name,
 * and the platform's name servers may know names of the network that it runs in: addresses there are not told.
 */
async function checkAddress(
  hostname: string,
  { pluginsUrl, names, context }: Checking & { pluginsUrl: string },
): Promise<DomainRecord> {
  const value = `${TARGET}.${new URL(pluginsUrl).hostname}`
  const record = { purpose: 'address', type: 'CNAME', name: hostname, value } as const
  if (context.services.environment === 'local') return { ...record, found: [], status: 'not_needed' }
  const [own, wanted] = await Promise.all([
    inTime(names.addresses(hostname), context),
    inTime(names.addresses(value), context),
  ])
  const targets = wanted.outcome === 'answered' ? wanted.found : []
  if (own.outcome !== 'answered') return { ...record, found: [], status: 'unknown' }
  const found = own.found.filter((each) => isPublicAddress(each) || targets.includes(each))
  if (targets.length === 0 && found.length > 0) return { ...record, found, status: 'unknown' }
  return { ...record, ...judge(found, (each) => targets.includes(each)) }
}

/** What is found is right when one of it is: a name may have more records than this one. */
function judge(found: string[], isRight: (each: string) => boolean): Pick<DomainRecord, 'found' | 'status'> {
  if (found.length === 0) return { found, status: 'missing' }
  return { found, status: found.some(isRight) ? 'found' : 'different' }
}
