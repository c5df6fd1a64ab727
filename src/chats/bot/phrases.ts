import type { ChatIntentRow, Json } from '../../db/tables.ts'

/** Accents, and the points of vowels that Hebrew and Arabic are written with or without. */
const accents = /[\p{Mn}&&[\u0300-\u0344\u0346-\u036f\u0591-\u05c7\u064b-\u065f]]/gv
const betweenWords = /[^\p{L}\p{N}\p{M}]+/u

/**
 * The words of a text with a blank before and after each, in one case and without accents (ё is е); only blanks where
 * there are none. Capitals, because small letters differ where capitals do not (σ and ς); made of small ones, because of ẞ.
 */
export function wordsOf(text: string): string {
  const plain = text.normalize('NFKD').replace(accents, '').toLowerCase().toUpperCase()
  return ` ${plain
    .split(betweenWords)
    .filter((word) => word !== '')
    .join(' ')} `
}

/** Whether the bot could ever hear it. */
export const hasWords = (phrase: string): boolean => wordsOf(phrase).trim() !== ''

/** Where a long text asks something, it does so in its first so many letters: thousands of phrases are looked for in it. */
const MOST_LETTERS = 10_000

/**
 * What a message is about (C10): the intent with the longest phrase whose words stand in it one after the other; of two as
 * long the older one. `intents` are the oldest first.
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
  /** As wordsOf makes it. */
  phrase: string
  /** Its first word: most phrases are done with when that is not in the text. */
  first: string
}

/** Phrases change seldom and are looked for in every message: each list is read once. */
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
