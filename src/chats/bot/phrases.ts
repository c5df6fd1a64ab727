import type { ChatIntentRow, Json } from '../../db/tables.ts'
import { normalized } from '../../normal-forms.ts'

/** Accents, and vowel points, which Hebrew and Arabic texts may omit. */
const accents = /[\p{Mn}&&[\u0300-\u0344\u0346-\u036f\u0591-\u05c7\u064b-\u065f]]/gv
const betweenWords = /[^\p{L}\p{N}\p{M}]+/u

/**
 * The words of a text in one case and without accents (ё is е), with a space before and after each; only spaces if
 * there are none. Upper case, because lower case letters can differ where upper case ones do not (σ and ς); from
 * lower case, because of ẞ.
 */
export function wordsOf(text: string): string {
  const plain = normalized(text, 'NFKD').replace(accents, '').toLowerCase().toUpperCase()
  return ` ${plain
    .split(betweenWords)
    .filter((word) => word !== '')
    .join(' ')} `
}

/** Whether a text can ever match the phrase. */
export const hasWords = (phrase: string): boolean => wordsOf(phrase).trim() !== ''

/** A question is expected in this many characters: thousands of phrases are searched in it. */
const MOST_LETTERS = 10_000

/**
 * The intent of a message (C10): the one with the longest phrase whose words appear in the text one after the
 * other, and the older one of two equally long. `intents` are sorted by age.
 */
export function findIntent(intents: readonly ChatIntentRow[], text: string): ChatIntentRow | undefined {
  const all = wordsOf(text)
  const words = all.slice(0, all.lastIndexOf(' ', MOST_LETTERS) + 1)
  const known = new Set(words.split(' '))
  let found: ChatIntentRow | undefined
  let longest = 0
  for (const intent of intents)
    for (const { phrase, first } of phrasesOf(intent.phrases))
      if (phrase.length > longest && known.has(first) && words.includes(phrase)) {
        found = intent
        longest = phrase.length
      }
  return found
}

interface Phrase {
  /** The result of wordsOf. */
  phrase: string
  /** The first word. Most phrases are ruled out by it. */
  first: string
}

/** Phrases rarely change and are searched in every message, so each list is parsed once. */
const kept = new Map<Json, Phrase[]>()
const MOST_LETTERS_KEPT = 4_000_000
let letters = 0

function phrasesOf(text: Json): Phrase[] {
  let phrases = kept.get(text)
  if (!phrases) {
    phrases = (JSON.parse(text) as string[]).map(readPhrase)
    letters += text.length
    if (letters > MOST_LETTERS_KEPT) {
      kept.clear()
      letters = text.length
    }
    kept.set(text, phrases)
  }
  return phrases
}

function readPhrase(text: string): Phrase {
  const phrase = wordsOf(text)
  return { phrase, first: phrase.slice(1, phrase.indexOf(' ', 1)) }
}
