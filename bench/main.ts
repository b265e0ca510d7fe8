/** `pnpm bench checkout` measures the card form beside those of others; every other name is a bench of the platform. */
const program = process.argv[2] === 'checkout' ? 'checkout' : 'platform'
await import(`../packages/${program}/bench/main.ts`)
