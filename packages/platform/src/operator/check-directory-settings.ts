import { createSecureContext } from 'node:tls'
import { OperatorError } from '../ambient/operator-error.ts'
import { readCertificates } from '../payments/threeds/directory/certified-agent.ts'
import { readResultCertificates } from '../payments/threeds/directory/result-senders.ts'
import { directorySettings, type DirectorySettings } from '../payments/threeds/directory/directory-settings.ts'

/** What each setting is called on the command line. */
const options: Readonly<Record<string, string>> = {
  serverReferenceNumber: '--server-reference-number',
  serverOperatorId: '--server-operator-id',
  requestorId: '--requestor-id',
  url: '--directory-url',
  networkUrls: '--directory-url',
  clientCertificate: '--client-certificate',
  clientKey: '--client-key',
  authorities: '--authorities',
  resultCertificates: '--result-certificates',
}

/**
 * A provider's settings, with files that can be read and belong together.
 *
 * @throws {OperatorError} Names the option that is to blame.
 */
export async function checkDirectorySettings(settings: DirectorySettings): Promise<DirectorySettings> {
  const checked = directorySettings.safeParse(settings)
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw new OperatorError(`${options[String(issue?.path[0])] ?? '--directory-url'}: ${issue?.message ?? 'is wrong'}.`)
  }
  await checkFiles(checked.data)
  await checkResultCertificates(checked.data)
  return checked.data
}

/** Read as the platform will: what it could not use is told now, and not by the first payment. */
async function checkFiles(settings: DirectorySettings): Promise<void> {
  try {
    createSecureContext(await readCertificates(settings))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OperatorError(
      `--client-certificate, --client-key, --authorities: the files cannot be used (${why}); name files in PEM, the key that of the certificate.`,
      { cause: error },
    )
  }
}

/** Anybody can know the ids of a transaction: who brings its result shows it by a certificate. */
async function checkResultCertificates({ resultCertificates: path }: DirectorySettings): Promise<void> {
  if (path === null) {
    throw new OperatorError(
      '--result-certificates: name a file in PEM with the client certificates of the directory servers, which they show when they bring the results of challenges.',
    )
  }
  try {
    await readResultCertificates(path)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OperatorError(
      `--result-certificates: the file cannot be used (${why}); name one with certificates in PEM.`,
      {
        cause: error,
      },
    )
  }
}
