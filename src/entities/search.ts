import { type FieldSet, type StoredValues, searchTexts } from '../custom-fields/custom-fields.ts'

const MAX_WORDS = 100
const MAX_LENGTH = 64
/**
 * Numbers of telephones are compared by their last ten digits: how a country is dialled differs, the rest does not.
 * People also look for what they dial at home, and for the last digits of a number, four at least.
 */
const SUBSCRIBER_DIGITS = 10
const ENDINGS = [10, 9, 8, 7, 6, 5, 4]
/** From the first letter or digit to the last one; an expression for what is around them would try each mark in turn. */
const WORD = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su
const TELEPHONE = /^[\d\s()+.-]{5,}$/

/** The words under which a search finds a record: of its name and of its fields, each whole and in its parts. */
export function wordsOf(name: string, fields: FieldSet, values: StoredValues): Set<string> {
  const words = new Set<string>()
  for (const text of [name, ...searchTexts(fields, values)]) {
    for (const word of wordsIn(text)) {
      if (words.size >= MAX_WORDS) return words
      words.add(word)
    }
  }
  return words
}

/** The beginnings of words that a record must all have to be found. Empty when the text holds nothing to look for. */
export function searchedWords(query: string): string[] {
  const digits = digitsOf(query)
  if (TELEPHONE.test(query) && digits.length >= 5) return [digits.slice(-SUBSCRIBER_DIGITS)]
  return [...new Set(tokens(query))].slice(0, 10)
}

function wordsIn(text: string): string[] {
  const digits = digitsOf(text)
  if (TELEPHONE.test(text) && digits.length >= 5)
    return [digits, ...ENDINGS.map((length) => digits.slice(-length))]
  return tokens(text).flatMap((token) => [token, ...partsOf(token), ...mailEndings(token)])
}

const partsOf = (token: string): string[] => token.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

/** An address of mail from each of its parts on: `ann119@mail.example` is found by `119@mail`, too. */
function mailEndings(token: string): string[] {
  if (!token.includes('@')) return []
  const begins = [...token.matchAll(/\p{L}+|\p{N}+/gu)].map(({ index }) => index)
  return begins.slice(1).map((at) => token.slice(at))
}

/** Words in lower case, without the punctuation around them; addresses of mail and of sites stay whole. */
const tokens = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s,;:()[\]{}<>"'«»“”/\\|]+/u)
    .map((token) => (WORD.exec(token)?.[0] ?? '').slice(0, MAX_LENGTH).toWellFormed())
    .filter(Boolean)

const digitsOf = (text: string): string => text.replace(/\D/g, '')
