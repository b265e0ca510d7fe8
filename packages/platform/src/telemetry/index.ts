export { openTelemetry } from './open-telemetry.ts'
export { descriptorLimit } from './process-metrics.ts'
export { type TelemetryConfig, telemetrySettings, telemetryVariables } from './settings.ts'
export {
  noSpan,
  type Observation,
  type OpenSpan,
  secondsSince,
  type Telemetry,
  traceFields,
  traceparent,
} from './telemetry.ts'
