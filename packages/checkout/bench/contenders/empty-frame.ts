import { html, type Contender } from '../contender.ts'

const FRAME_ORIGIN = 'https://vault.tillwright.example'

/** The least that a field in a frame of another origin can take: a document with an input and nothing else. */
export const emptyFrame: Contender = {
  name: 'An empty frame',
  version: '-',
  markup: `<iframe src="${FRAME_ORIGIN}/empty" title="card"></iframe>`,
  field: '#number',
  contents: 'A frame with an input, without style or script.',
  answer: ({ origin }) =>
    origin === FRAME_ORIGIN ? html('<!doctype html><title>card</title><input id="number">') : null,
  close: async () => {},
}
