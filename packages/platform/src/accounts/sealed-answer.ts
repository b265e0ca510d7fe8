import type { SecretBox } from '../ambient/secret-box.ts'
import type { Answer, IdempotencyKey } from './idempotency-keys.ts'

/** No JSON begins like this, so that a sealed body is told from a plain one. */
const MARK = 'sealed:'
const PURPOSE = 'idempotent answer'

/** An answer that holds a secret, as it is kept for its key: whoever has the database alone cannot read it. */
export function sealAnswer({ status, body }: Answer, key: IdempotencyKey, secrets: SecretBox): Answer {
  return { status, body: MARK + secrets.seal(PURPOSE, Buffer.from(body), place(key)) }
}

/** A kept answer as it was given. One that was not sealed stays as it is. */
export function openAnswer(kept: Answer, key: IdempotencyKey, secrets: SecretBox): Answer {
  if (!kept.body.startsWith(MARK)) return kept
  const opened = secrets.open(PURPOSE, kept.body.slice(MARK.length), place(key))
  return { status: kept.status, body: Buffer.from(opened).toString() }
}

function place({ accountId, key }: IdempotencyKey): string {
  return `${accountId} ${key}`
}
