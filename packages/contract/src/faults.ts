/**
 * Faults that a request in `local` or `development` can ask for with the header `Tillwright-Fault`, as `<who>=<how>`, and
 * what each does. Production ignores the header.
 */
export const faults = {
  'processor=outage': 'The processor cannot be reached; the next one of the flow is tried.',
  'processor=timeout_before': 'The request never arrives at the processor, and there is no answer.',
  'processor=timeout_after': 'The processor executes the request, and its answer is lost.',
  'processor=slow': 'The processor answers after 2 seconds.',
  'processor=late': 'The processor answers after 31 seconds.',
  'processor=duplicate': 'The request arrives at the processor twice, at the same time.',
  'threeds=outage': 'The 3-D Secure provider fails: 502.',
  'threeds=timeout': 'The 3-D Secure provider does not answer in time: 504.',
  'network=retry_limit': 'Declines of the card count against the limits of its network, as in production.',
} as const satisfies Record<`${string}=${string}`, string>

/** The value of a `Tillwright-Fault` header. */
export type Fault = keyof typeof faults
