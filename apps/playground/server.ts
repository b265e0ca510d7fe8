import { startPlayground } from './start-playground.ts'

/** Not a port that the demo shop or the platform take. */
const DEFAULT_PORT = 4430

const playground = await startPlayground(Number(process.env['PORT'] ?? DEFAULT_PORT))
// Without open sockets the process ends by itself, and its build is gone from the temporary folder.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void playground.close())
console.log(`Every state of the card form in every theme: ${playground.url}`)
