// A bare name is words of CSS, and none of those that stand for a value from elsewhere.
const WORD = '-?[a-z_][\\w-]{0,30}'
const BARE = `(?!(?:inherit|initial|unset|revert|default)\\b)${WORD}(?: ${WORD}){0,5}`
const NAME = `(?:${BARE}|"[\\w -]{1,40}"|'[\\w -]{1,40}')`
const NAMES = new RegExp(`^${NAME}(?: ?, ?${NAME}){0,15}$`, 'i')

/**
 * Reads a list of fonts, at most 16. They are fonts of the buyer's system and generic ones: the frame can load none.
 *
 * @param text A value whose white space is single spaces.
 * @returns The list as it stands, or `null` for everything else.
 */
export function readFontFamily(text: string): string | null {
  return NAMES.test(text) ? text : null
}
