import { startPlayground } from './start-playground.ts'

/** Not a port that the demo shop or the platform take. */
const DEFAULT_PORT = 4430

const { url } = await startPlayground(Number(process.env['PORT'] ?? DEFAULT_PORT))
console.log(`Every state of the card form in every theme: ${url}`)
