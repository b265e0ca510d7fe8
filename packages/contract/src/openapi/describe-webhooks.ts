import { exampleId } from '../ids.ts'
import { eventTypes } from '../resources/event-types.ts'
import { webhookPayload } from '../resources/events.ts'
import { type Json, schemaOf } from './schema-of.ts'

/** The headers of a delivery. Source: Standard Webhooks 1.0.0, "Webhook Headers". */
const parameters = [
  header(
    'webhook-id',
    'The id of the event, the same on every try: what you have seen needs nothing more.',
    exampleId('event'),
  ),
  header('webhook-timestamp', 'When this try was made: Unix time in seconds.', '1795167000'),
  header(
    'webhook-signature',
    'One signature for each live secret, separated by spaces.',
    'v1,5jVq0mXcH4rWq1oYzQkqgYb0m7Yw2hJkP3nJ0r4xT8s=',
  ),
]

/** Each type of event as it is sent to an endpoint. */
export function describeWebhooks(schemas: Json): Json {
  return Object.fromEntries(
    Object.entries(eventTypes).map(([type, properties]) => {
      const schema = {
        allOf: [
          schemaOf(webhookPayload, 'output', schemas),
          {
            properties: {
              type: { const: type, description: 'The type of the event.' },
              data: {
                properties: {
                  properties: { description: 'What the event tells.', ...schemaOf(properties, 'output', schemas) },
                },
                description: 'The event.',
              },
            },
          },
        ],
      }
      return [type, { post: describeWebhook(type, properties.description, schema) }]
    }),
  )
}

function describeWebhook(type: string, meaning: string | undefined, schema: Json): Json {
  return {
    operationId: type,
    tags: ['webhooks'],
    security: [], // the receiver is called with a signature, not with a key
    summary: type,
    description: meaning ?? `Sent for each event of the type \`${type}\`.`,
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 200: { description: 'Any 2xx acknowledges the delivery; anything else is tried again.' } },
  }
}

function header(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string', examples: [example] } }
}
