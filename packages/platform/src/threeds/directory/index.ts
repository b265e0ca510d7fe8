export { readCertificates } from './link.ts'
export { configuredProviders } from './provider.ts'
export {
  readResultCertificates,
  type ResultSenders,
  resultSenders,
  tellOfRefusedResults,
  whyRefused,
} from './result-senders.ts'
export {
  configuredNetworks,
  deleteDirectoryRow,
  type DirectoryRow,
  type DirectorySettings,
  directorySettings,
  findDirectoryRow,
  insertDirectoryRow,
  listDirectoryRows,
  updateDirectoryRow,
} from './settings.ts'
