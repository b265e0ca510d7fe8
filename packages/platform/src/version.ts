import manifest from '../package.json' with { type: 'json' }

/** The platform's version, as its package says. */
export const platformVersion: string = manifest.version
