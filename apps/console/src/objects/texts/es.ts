import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  none: 'Ninguno',
  'health.title': 'Procesadores en los últimos 15 minutos',
  'health.titleOne': 'Últimos 15 minutos',
  'health.closed': 'Funciona',
  'health.open': 'En pausa',
  'health.half_open': 'A prueba',
  'health.openUntil': 'Ha fallado varias veces seguidas. Los pagos van a otro sitio hasta las {time}.',
  'health.openIn.one': 'Así lo ve {count} proceso de la plataforma.',
  'health.openIn.other': 'Así lo ven {count} procesos de la plataforma.',
  'health.half': 'Ha fallado varias veces seguidas. El próximo pago vuelve a probarlo.',
  'health.none': 'Sin intentos',
  'health.approved.one': '{share} de {count} intento aprobado',
  'health.approved.other': '{share} de {count} intentos aprobados',
  'health.failed': '{count} sin respuesta',
  'health.latency': 'la mitad en {median}, el 95 % en {p95}',
  'exemption.low_value': 'importe bajo',
  'exemption.low_risk': 'riesgo bajo',
  'exemption.recurring': 'recurrente',
  'exemption.trusted': 'comercio de confianza',
  'exemption.secure_corporate': 'pago corporativo seguro',
}
