import type { Tx } from '../database.ts'
import type { SearchWordRow } from '../rows/record-rows.ts'
import type { Migration } from './migration.ts'

/** A condition for digits only, valid in both databases. */
const isDigits = "trim(word, '0123456789') = ''"

const ending = (length: number) => `
  insert into search_words (account_id, entity_type, word, entity_id)
  select account_id, entity_type, substr(word, ${8 - length + 1}), entity_id
  from search_words as longer
  where length(word) = 8 and ${isDigits} and exists (
    select 1 from search_words as shorter
    where shorter.account_id = longer.account_id and shorter.entity_type = longer.entity_type
      and shorter.word = substr(longer.word, 2) and shorter.entity_id = longer.entity_id)
  on conflict do nothing`

/**
 * Telephone numbers are found by their last four or more digits. Numbers with eight or more digits have search
 * words of the last eight and seven digits, from which the shorter ones are derived. Seven-digit numbers get theirs
 * when they are saved.
 */
export const telephoneEndings: Migration = {
  name: '015-telephone-endings',
  counted: [],
  statements: [6, 5, 4].map(ending),
  fill: addMailEndings,
}

const PAGE = 2_000

/** Makes e-mail addresses searchable from each of their parts. */
async function addMailEndings(tx: Tx): Promise<void> {
  let last: SearchWordRow = { account_id: 0, entity_type: '', word: '', entity_id: 0 }
  for (;;) {
    const page = await wordsAfter(tx, last)
    const endings = page.filter(({ word }) => word.includes('@')).flatMap(endingsOf)
    for (let at = 0; at < endings.length; at += 500)
      await tx
        .insertInto('search_words')
        .values(endings.slice(at, at + 500))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    const end = page.at(-1)
    if (page.length < PAGE || !end) return
    last = end
  }
}

const wordsAfter = (tx: Tx, { account_id, entity_type, word, entity_id }: SearchWordRow) =>
  tx
    .selectFrom('search_words')
    .select(['account_id', 'entity_type', 'word', 'entity_id'])
    .where((eb) =>
      eb(
        eb.refTuple('account_id', 'entity_type', 'word', 'entity_id'),
        '>',
        eb.tuple(account_id, entity_type, word, entity_id),
      ),
    )
    .orderBy('account_id')
    .orderBy('entity_type')
    .orderBy('word')
    .orderBy('entity_id')
    .limit(PAGE)
    .execute()

const endingsOf = ({ word, ...rest }: SearchWordRow) =>
  [...word.matchAll(/\p{L}+|\p{N}+/gu)].slice(1).map(({ index }) => ({ ...rest, word: word.slice(index) }))
