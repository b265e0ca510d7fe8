import { z } from 'zod'
import { setting } from '../runtime/index.ts'

/** The configuration of the operator's access. */
export interface OversightConfig {
  /** The account whose members and keys may read the state of the platform; `undefined` for none. */
  operatorAccount: string | undefined
}

export const oversightVariables = {
  TILLWRIGHT_OPERATOR_ACCOUNT: setting(
    z
      .string()
      .regex(/^acc_[0-9A-Za-z]{22}$/, 'must be the id of an account, as `tillwright accounts list` shows it')
      .optional(),
    {
      doc: 'The account of whoever operates the platform: its owners and members for operations see the state of the platform in the console. See [observability](observability.md).',
      fallback: 'in `local` the account of the machine, otherwise nobody',
      form: 'id of an account',
    },
  ),
}

export function oversightSettings(set: z.output<z.ZodObject<typeof oversightVariables>>): OversightConfig {
  return { operatorAccount: set.TILLWRIGHT_OPERATOR_ACCOUNT }
}
