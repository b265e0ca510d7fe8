import type { PlatformAlert, PlatformQueue, PlatformState } from '@tillwright/contract'

/** When each rule calls for an operator: in seconds, or as a share. Those of operate/prometheus/alerts.yml. */
export const alertThresholds: Readonly<Record<PlatformAlert, number>> = {
  TillwrightUnresolved: 120,
  TillwrightWebhooksLate: 300,
  TillwrightRenewalsLate: 3_600,
  TillwrightWorkLate: 600,
  TillwrightAlone: 2,
  TillwrightClockOff: 2,
  TillwrightDiskFilling: 0.1,
  TillwrightBackupOld: 26 * 3_600,
  TillwrightKeyOld: 400 * 86_400,
  TillwrightFormKeyOld: 100 * 86_400,
}

type Alert = PlatformState['alerts'][number]

/** Alerts that call for an operator, the most urgent first. Prometheus waits for a while before it says the same. */
export function alertsOf(state: Omit<PlatformState, 'alerts'>): Alert[] {
  const nowMs = Date.parse(state.at)
  const isOver = (rule: PlatformAlert, since: string | null) =>
    since !== null && nowMs - Date.parse(since) > alertThresholds[rule] * 1_000
  const late = (rule: PlatformAlert, ...queues: PlatformQueue[]): Alert[] =>
    state.queues
      .filter(({ queue, dueSince }) => queues.includes(queue) && isOver(rule, dueSince))
      .map(({ queue, dueSince }) => ({ rule, about: queue, since: dueSince }))
  const old = (rule: PlatformAlert, about: string, since: string | null): Alert[] =>
    isOver(rule, since) ? [{ rule, about, since }] : []
  const { rings, cardFormAt } = state.keys
  return [
    ...late('TillwrightUnresolved', 'payments', 'post_authorizations'),
    ...late('TillwrightWebhooksLate', 'webhooks'),
    ...late('TillwrightRenewalsLate', 'renewals'),
    ...state.queues.flatMap(({ queue, workedAt }) =>
      old('TillwrightWorkLate', queue, workedAt ?? state.processes[0]?.startedAt ?? null),
    ),
    ...ofProcesses(state),
    ...old('TillwrightBackupOld', 'backup', state.backup?.takenAt ?? null),
    ...rings.flatMap(({ ring, dataKeyAt, masterKeyAt }) => [
      ...old('TillwrightKeyOld', `${ring}_data`, dataKeyAt),
      ...old('TillwrightKeyOld', `${ring}_master`, masterKeyAt),
    ]),
    ...old('TillwrightFormKeyOld', 'card_form', cardFormAt),
  ]
}

function ofProcesses({ processes, engine, environment }: Omit<PlatformState, 'alerts'>): Alert[] {
  const alerts = processes.flatMap(({ name, disk, clockOffsetMs }): Alert[] => {
    const isFull = disk !== null && disk.freeBytes / disk.sizeBytes < alertThresholds.TillwrightDiskFilling
    const isOff = Math.abs(clockOffsetMs) > alertThresholds.TillwrightClockOff * 1_000
    return [
      ...(isFull ? [{ rule: 'TillwrightDiskFilling', about: name, since: null } as const] : []),
      ...(isOff ? [{ rule: 'TillwrightClockOff', about: name, since: null } as const] : []),
    ]
  })
  const isAlone = engine === 'postgres' && processes.length < alertThresholds.TillwrightAlone
  // One developer's machine has one process.
  if (isAlone && environment !== 'local') alerts.push({ rule: 'TillwrightAlone', about: '', since: null })
  return alerts
}
