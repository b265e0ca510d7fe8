import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  'kept.records_of_sales':
    'Los importes, monedas, fechas e identificadores son registros de ventas que las leyes fiscales y contables obligan a conservar.',
  'kept.card_of_disputes':
    'La marca y las cuatro últimas cifras indican a qué pago se refiere una consulta o disputa del banco.',
  'kept.bank_of_card':
    'Las primeras cifras identifican al banco, no al titular; los informes de enrutamiento y comisiones las necesitan.',
  'kept.proof_of_authentication':
    'La forma en que se autenticó el titular es la prueba con la que el comercio responde a una disputa.',
  'kept.name_of_nobody':
    'Los pedidos, pagos y eventos nombran a su cliente con este identificador, que por sí solo no dice nada.',
  'kept.id_of_event': 'Los receptores conocen los eventos por este identificador.',
  'kept.what_happened': 'Qué ocurrió con un pedido o un pago y cuándo, sin la persona.',
  'remains.backups':
    'Las copias de seguridad anteriores conservan los datos hasta que se eliminen. Al restaurar una se vuelve a borrar al cliente: /guide/security/privacy explica cómo.',
  'remains.sqlite_pages':
    'El archivo de la base de datos se sobrescribió y su registro se vació. El espacio sin usar de una página de índice dividida puede contener una palabra hasta que se reescriba: VACUUM lo resuelve.',
  'remains.postgres_files':
    'Los archivos de PostgreSQL (espacio libre de páginas, registro de escritura anticipada, réplicas con retraso) conservan bytes antiguos hasta que se sobrescriben: VACUUM FULL y el fin de la retención del registro lo resuelven.',
  'remains.other_systems':
    'Los procesadores, los receptores de webhooks y otros sistemas conservan lo que se les envió; pida a cada uno que lo elimine.',
}
