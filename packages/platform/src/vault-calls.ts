import {
  type Channel,
  type ChannelOperations,
  ChannelUnreachable,
  listenOnChannel,
  type ListeningChannel,
  openChannel,
} from './channel/index.ts'
import type { Config } from './config.ts'
import { presentCard, VAULT_UNREACHABLE } from './payments/index.ts'
import type { AuthorisationOutcome } from './processors/index.ts'
import type { CardVault, SealedCard, Services } from './request-context.ts'
import type { Charging, Presentation } from './routing/index.ts'
import { type AuthenticateCard, authenticateCard, type RunningThreeds, type ThreedsServer } from './threeds/index.ts'
import {
  type CardKeys,
  CodeKeys,
  openJweKeys,
  readFrameFiles,
  type SecurityCodes,
  securityCodes,
  shareCodeKeys,
} from './vault/index.ts'

/** Opens the parts that only a process with the card key has. */
export async function openOwnVault(services: Services & CardKeys, { jweKeyAgeMs }: Pick<Config, 'jweKeyAgeMs'>) {
  const jweKeys = await openJweKeys(services, jweKeyAgeMs)
  const files = await readFrameFiles()
  const codeKeys = new CodeKeys(services)
  const codes = securityCodes(services, codeKeys)
  return { jweKeys, files, codes, stopSharing: shareCodeKeys(codeKeys, services.log) }
}

/** Takes the calls of processes without the card key, if this one has a port for them. */
export async function takeCalls(
  { host, channel }: Pick<Config, 'host' | 'channel'>,
  charging: Charging,
  { server }: RunningThreeds,
): Promise<ListeningChannel | null> {
  if (channel?.port === undefined) return null
  const { log } = charging.services
  const onError = (call: string, error: unknown) => log.error({ err: error, call }, 'a call of another role failed')
  return listenOnChannel({ host, port: channel.port, tls: channel.tls, onError }, vaultCalls(charging, server))
}

/** Calls of a process without the card key to those with it, where card numbers and security codes stay. */
export interface RemoteVault {
  present: (presentation: Presentation) => Promise<AuthorisationOutcome>
  authenticateIn: AuthenticateCard
  cardVault: CardVault
  codes: SecurityCodes
  close: () => void
}

/** The vault's processes, as a process without the card key knows them; `null` where it asks for nothing. */
export function remoteVault({ channel: config }: Pick<Config, 'channel'>): RemoteVault | null {
  if (config === undefined || config.urls.length === 0) return null
  const channel = openChannel(config.urls, config.tls)
  return {
    ...closedVault,
    present: (presentation) => presentThere(presentation, channel),
    // The other end is a process of the same platform, which answers with what the call's type says.
    authenticateIn: async (asked) => (await channel.call('authenticate', asked)) as ReturnOf<AuthenticateCard>,
    cardVault: {
      ...closedVault.cardVault,
      seal: async (card, owner) => (await channel.call('seal', { card, owner })) as SealedCard,
    },
    close: channel.close,
  }
}

type ReturnOf<Call extends (...argument: never[]) => Promise<unknown>> = Awaited<ReturnType<Call>>

/** A call that was not sent has not begun: its outcome is that of a processor that cannot be reached. */
async function presentThere(presentation: Presentation, channel: Channel): Promise<AuthorisationOutcome> {
  try {
    return (await channel.call('authorise', presentation)) as AuthorisationOutcome // its own type, as above
  } catch (error) {
    if (!(error instanceof ChannelUnreachable)) throw error
    return { outcome: 'refused_before_acceptance', reason: VAULT_UNREACHABLE }
  }
}

const elsewhere = () => Promise.reject(new Error('This process does not hold the card key: it has not the role vault.'))

/** The vault of a process that has no card key. */
export const closedVault: Pick<RemoteVault, 'cardVault' | 'codes'> = {
  cardVault: { seal: elsewhere, open: elsewhere },
  codes: { seal: elsewhere, open: elsewhere },
}

/**
 * The calls that a process with the card key takes from those without. It makes the calls to processors and directory
 * servers itself; none returns a card. `seal` is there for test tokens, which production refuses.
 */
function vaultCalls(charging: Charging, { providers }: Pick<ThreedsServer, 'providers'>): ChannelOperations {
  const { services } = charging
  // Callers are processes of the same platform, authenticated by their certificates: arguments are what the types say.
  return {
    authorise: (argument) => presentCard(argument as Presentation, charging),
    authenticate: (argument) => authenticateCard(argument as Parameters<AuthenticateCard>[0], services, providers),
    ...(services.environment !== 'production' && {
      seal: (argument: unknown) => {
        const { card, owner } = argument as Record<'card' | 'owner', never>
        return services.cardVault.seal(card, owner)
      },
    }),
  }
}
