export const texts = {
  'kept.records_of_sales':
    'Amounts, currencies, times and ids are records of sales, which tax and accounting laws require to be kept.',
  'kept.card_of_disputes': 'Brand and last four digits tell which payment a bank’s question or dispute is about.',
  'kept.bank_of_card': 'The first digits name the bank, not the cardholder; reports on routing and fees need them.',
  'kept.proof_of_authentication':
    'How the cardholder was authenticated is the proof by which the merchant answers a dispute.',
  'kept.name_of_nobody': 'Orders, payments and events name their customer by this id, which says nothing by itself.',
  'kept.id_of_event': 'Receivers know events by this id.',
  'kept.what_happened': 'What happened to an order or a payment and when, without the person.',
  'remains.backups':
    'Backups made before hold the data until they are deleted. Restoring one erases the customer again: /guide/security/privacy says how.',
  'remains.sqlite_pages':
    'The database file was overwritten and its log emptied. Unused space of an index page that was split may hold a word until the page is written again: VACUUM ends it.',
  'remains.postgres_files':
    'The files of PostgreSQL (free space of pages, write-ahead log, replicas that lag) hold old bytes until they are overwritten: VACUUM FULL and the end of the log’s retention end it.',
  'remains.other_systems':
    'Processors, receivers of webhooks and other systems keep what they were sent; ask each to delete it.',
} as const
