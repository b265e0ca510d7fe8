import { startOurs, startVite } from './servers.ts'

/**
 * Serves an app in this process, which is asked for nothing else: `node serve-app.ts ours|vite FOLDER`. It tells its parent
 * the address, and ends when it is asked to.
 */
const [, , name, root = ''] = process.argv
const server = await (name === 'ours' ? startOurs : startVite)(root)
const end = () => void server.stop().then(() => process.exit(0))
process.once('SIGTERM', end)
process.once('disconnect', end) // a failed bench leaves no process behind
process.send?.(server.url)
