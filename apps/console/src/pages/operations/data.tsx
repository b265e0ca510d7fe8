import { Badge, Time } from '../../design/controls.tsx'
import { Facts, Section } from '../../design/section.tsx'
import { count } from '../../language/values.ts'
import { CommandLine, type State } from './state.tsx'
import { text } from './text.ts'

/** How far the database is with the schema, and which versions may run on it. */
export function Schema({ state: { schema, engine } }: { state: State }) {
  const open = schema.steps.filter(({ state }) => state !== 'done')
  const facts = [
    [text('engine'), engine === 'postgres' ? 'PostgreSQL' : 'SQLite'],
    [text('schemaKnown'), count(schema.known)],
    [text('schemaOldest'), count(schema.oldest)],
    [text('steps'), text('stepsDone', { done: schema.steps.length - open.length, all: schema.steps.length })],
    [text('newerSteps'), schema.newer.length === 0 ? null : schema.newer.join(', ')],
  ] as const
  return (
    <Section title={text('schema')}>
      <Facts of={facts} />
      {open.length > 0 && (
        <ul class="parts">
          {open.map(({ id, phase, state, rows }) => (
            <li key={id}>
              <p class="what">
                <Badge tone={state === 'missing' ? 'calm' : 'wait'}>{text(`step.${state}`)}</Badge>
                <code>{id}</code>
                <span>{text(`phase.${phase}`)}</span>
                {phase === 'backfill' && <span class="end">{text('rowsDone', { count: rows })}</span>}
              </p>
            </li>
          ))}
        </ul>
      )}
      <CommandLine says={text('schemaCommand')} command="tillwright migrate --status" />
    </Section>
  )
}

/** How old keys are, and how far rows are sealed under the newest. */
export function Keys({ state: { keys } }: { state: State }) {
  const ages = keys.rings.flatMap(({ ring, dataKeyAt, masterKeyAt, masterKeys, columns, resealedColumns }) => [
    [text(`data.${ring}`), <Since at={dataKeyAt} />] as const,
    [
      text(`master.${ring}`),
      <>
        <Since at={masterKeyAt} /> {masterKeys > 1 && <Badge tone="wait">{text('replacing')}</Badge>}
      </>,
    ] as const,
    [
      text(`sealed.${ring}`),
      resealedColumns === columns ? text('allSealed') : text('someSealed', { done: resealedColumns, all: columns }),
    ] as const,
  ])
  return (
    <Section title={text('keys')}>
      <Facts of={[...ages, [text('cardForm'), <Since at={keys.cardFormAt} />]]} />
      <CommandLine says={text('keysCommand')} command="tillwright keys rotate cards" />
    </Section>
  )
}

function Since({ at }: { at: string | null }) {
  return at === null ? <>–</> : <Time at={at} />
}

/** The last backup, and whether it was proved. */
export function Backup({ state: { backup } }: { state: State }) {
  return (
    <Section title={text('backup')}>
      {backup === null ? (
        <p class="hint">{text('noBackup')}</p>
      ) : (
        <Facts
          of={[
            [text('takenAt'), <Time at={backup.takenAt} />],
            [text('provedAt'), backup.provedAt === null ? text('notProved') : <Time at={backup.provedAt} />],
            [text('byVersion'), backup.version],
            [text('missingFiles'), backup.missingFiles === 0 ? null : count(backup.missingFiles)],
          ]}
        />
      )}
      <CommandLine says={text('backupCommand')} command="tillwright backup --to PLACE" />
    </Section>
  )
}

type Kept = State['retention'][number]

/** How long each kind of data stays. */
export function Retention({ state: { retention, queues } }: { state: State }) {
  const swept = queues.find(({ queue }) => queue === 'sweeping')?.workedAt ?? null
  return (
    <Section title={text('retention')} actions={swept !== null && <Time at={swept} />}>
      <div class="scrolled" tabIndex={0} role="region" aria-label={text('retention')}>
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{text('data')}</th>
              <th scope="col">{text('stays')}</th>
              <th scope="col" class="number">
                {text('due')}
              </th>
            </tr>
          </thead>
          <tbody>
            {retention.map((kept) => (
              <tr key={kept.kind}>
                <th scope="row">
                  {text(`kept.${kept.kind}`)}
                  {kept.setting !== null && <code class="setting">{kept.setting}</code>}
                </th>
                <td>{kept.days === null ? text('untilErased') : text('days', { count: kept.days })}</td>
                <td class="number">{dueOf(kept)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">{swept === null ? text('notSwept') : text('swept')}</p>
    </Section>
  )
}

function dueOf({ due, hasMore }: Kept): string {
  if (due === null) return '–'
  return hasMore ? text('orMore', { value: count(due) }) : count(due)
}
