import type { texts as english } from './en.ts'

export const texts: Record<keyof typeof english, string> = {
  'kept.records_of_sales':
    'Beträge, Währungen, Zeiten und Kennungen belegen Verkäufe; Steuer- und Handelsrecht verlangen, sie aufzubewahren.',
  'kept.card_of_disputes':
    'Marke und letzte vier Ziffern sagen, um welche Zahlung es bei einer Rückfrage oder Anfechtung der Bank geht.',
  'kept.bank_of_card':
    'Die ersten Ziffern nennen die Bank, nicht den Karteninhaber; Auswertungen von Routing und Gebühren brauchen sie.',
  'kept.proof_of_authentication':
    'Wie der Karteninhaber authentifiziert wurde, ist der Nachweis, mit dem der Händler einer Anfechtung begegnet.',
  'kept.name_of_nobody':
    'Bestellungen, Zahlungen und Ereignisse nennen ihren Kunden mit dieser Kennung, die für sich nichts verrät.',
  'kept.id_of_event': 'Empfänger kennen Ereignisse unter dieser Kennung.',
  'kept.what_happened': 'Was mit einer Bestellung oder Zahlung geschah und wann, ohne die Person.',
  'remains.backups':
    'Frühere Sicherungen enthalten die Daten, bis sie gelöscht werden. Wird eine zurückgespielt, wird der Kunde erneut gelöscht: /guide/security/privacy sagt, wie.',
  'remains.sqlite_pages':
    'Die Datenbankdatei wurde überschrieben und ihr Protokoll geleert. In ungenutztem Platz einer geteilten Indexseite kann ein Wort stehen, bis die Seite neu geschrieben wird: VACUUM beendet das.',
  'remains.postgres_files':
    'Die Dateien von PostgreSQL (freier Platz in Seiten, Write-Ahead-Log, verzögerte Replikate) enthalten alte Bytes, bis sie überschrieben werden: VACUUM FULL und das Ende der Aufbewahrung des Logs beenden das.',
  'remains.other_systems':
    'Zahlungsdienstleister, Empfänger von Webhooks und andere Systeme behalten, was ihnen gesendet wurde; bitten Sie jeden, es zu löschen.',
}
