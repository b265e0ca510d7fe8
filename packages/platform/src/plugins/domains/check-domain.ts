import type { Contract, DomainCheck } from '@tillwright/contract'
import { requireStore } from '../../catalog/index.ts'
import type { Handler, RequestContext } from '../../request-context.ts'
import type { NameServers, PluginHosting } from '../hosting.ts'
import { readHostname, refuseOwn } from './promote.ts'
import { inTime, type Lookup, proofOf, proves } from './proof.ts'
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
  return { ...record, ...foundBy(lookup, (found) => proves(found, value)) }
}

/** Below the plugins' host every name leads to the platform; this one is no deployment's. */
const TARGET = 'domains'

/** Compares addresses: a CNAME, an ALIAS of some name servers, and A records all come to that. */
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
  const isUnknown = wanted.outcome !== 'answered' || wanted.found.length === 0
  if (isUnknown && own.outcome === 'answered' && own.found.length > 0) {
    return { ...record, found: [...own.found], status: 'unknown' }
  }
  const targets = wanted.outcome === 'answered' ? wanted.found : []
  return { ...record, ...foundBy(own, (found) => found.some((each) => targets.includes(each))) }
}

function foundBy(
  lookup: Lookup,
  isRight: (found: readonly string[]) => boolean,
): Pick<DomainRecord, 'found' | 'status'> {
  if (lookup.outcome !== 'answered') return { found: [], status: 'unknown' }
  const found = [...lookup.found]
  if (found.length === 0) return { found, status: 'missing' }
  return { found, status: isRight(found) ? 'found' : 'different' }
}
