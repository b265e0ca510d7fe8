/** A text without marks and strokes on its letters: `Søren Łukasz` becomes `Soren Lukasz`. */
export function withoutAccents(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return bare.replaceAll(/[æđðħıłœøßþŧ]/giu, (letter) => {
    const small = letter.toLowerCase()
    const plain = plainLetters[small] ?? letter
    return letter === small ? plain : plain.charAt(0).toUpperCase() + plain.slice(1)
  })
}

/** Letters that Unicode does not take apart, as people type them on other keyboards. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  þ: 'th',
  ŧ: 't',
}
