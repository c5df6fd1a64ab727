import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from './database.ts'
import { isLike } from './dialect.ts'

const MAX_WORDS = 5
const MAX_LETTERS = 64

/** The conditions that a text contains each of the words of `sought`, in any case. */
export const holdsWords = (db: Db, text: Expression<unknown>, sought: string): Expression<SqlBool>[] =>
  wordsOf(sought).map((word) => holdsWord(db, text, word))

const wordsOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, MAX_WORDS)
    .map((word) => word.slice(0, MAX_LETTERS).replaceAll('\u0000', '').toWellFormed())

/**
 * Whether a text contains a word, in any case. SQLite only folds ASCII, so other letters are searched in lower case,
 * capitalised and in upper case.
 */
function holdsWord(db: Db, text: Expression<unknown>, word: string): Expression<SqlBool> {
  const small = word.toLowerCase()
  const [first = ''] = small
  const spellings = new Set([
    word,
    small,
    first.toUpperCase() + small.slice(first.length),
    word.toUpperCase(),
  ])
  const likes = [...spellings].map((spelling) =>
    isLike(db, text, `%${spelling.replaceAll(/[!%_]/g, '!$&')}%`),
  )
  return sql<SqlBool>`(${sql.join(likes, sql` or `)})`
}
