import { type FieldSet, type StoredValues, searchTexts } from '../../custom-fields/custom-fields.ts'
import { normalized } from '../../normal-forms.ts'

const MAX_WORDS = 100
const MAX_LENGTH = 64
/**
 * Telephone numbers are compared by their last ten digits, because country prefixes vary. People also search for
 * the number without area code, and for the last four or more digits.
 */
const SUBSCRIBER_DIGITS = 10
const ENDINGS = [10, 9, 8, 7, 6, 5, 4]
/**
 * From the first letter or digit to the last one. An expression for the surrounding characters would backtrack at
 * each of them.
 */
const WORD = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su
/** A word of letters and digits alone has no parts. Most words are like that, and this test is the cheapest. */
const WHOLE = /^[\p{L}\p{N}]+$/u
const TELEPHONE = /^[\d\s()+.-]{5,}$/

/**
 * The search words of a record: those of its name and fields, complete and in parts (R4). The texts are read from short to
 * long, so that a telephone number is among the words even if a description has more of them than are kept.
 */
export function wordsOf(name: string, fields: FieldSet, values: StoredValues): Set<string> {
  const words = new Set<string>()
  const texts = searchTexts(fields, values).sort((a, b) => a.length - b.length)
  for (const text of [name, ...texts]) {
    for (const word of wordsIn(text)) {
      if (words.size >= MAX_WORDS) return words
      words.add(word)
    }
  }
  return words
}

/** The prefixes that a record must match to be found. Empty if the text has no words. */
export function searchedWords(query: string): string[] {
  const digits = digitsOf(query)
  if (TELEPHONE.test(query) && digits.length >= 5) return [digits.slice(-SUBSCRIBER_DIGITS)]
  return [...new Set(tokens(query))].slice(0, 10)
}

function wordsIn(text: string): string[] {
  const digits = digitsOf(text)
  if (TELEPHONE.test(text) && digits.length >= 5)
    return [digits, ...ENDINGS.map((length) => digits.slice(-length))]
  return tokens(text).flatMap((token) =>
    WHOLE.test(token) ? token : [token, ...partsOf(token), ...mailEndings(token)],
  )
}

const partsOf = (token: string): string[] => token.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

/** The suffixes of an e-mail address from each of its parts, so that `119@mail` finds `ann119@mail.example`. */
function mailEndings(token: string): string[] {
  if (!token.includes('@')) return []
  const begins = [...token.matchAll(/\p{L}+|\p{N}+/gu)].map(({ index }) => index)
  return begins.slice(1).map((at) => token.slice(at))
}

/** Words in lower case without surrounding punctuation; e-mail and web addresses stay whole. */
const tokens = (text: string): string[] =>
  normalized(text, 'NFKC')
    .toLowerCase()
    .split(/[\s,;:()[\]{}<>"'«»“”/\\|]+/u)
    .map((token) =>
      (WHOLE.test(token) ? token : (WORD.exec(token)?.[0] ?? '')).slice(0, MAX_LENGTH).toWellFormed(),
    )
    .filter(Boolean)

const digitsOf = (text: string): string => text.replace(/\D/g, '')
