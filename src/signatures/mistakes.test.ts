import { describe, expect, test } from 'vitest'
import { times } from '../../test/long.ts'
import {
  type MistakenClient,
  randomOf,
  rightClient,
  sentBy,
  textOf,
} from '../../test/models/mistaken-client.ts'
import { type Planted, planted, secrets } from '../../test/models/planted-mistakes.ts'
import { explain, type Finding } from './explain.ts'
import type { KnownSecret } from './key-mistakes.ts'
import { Budget } from './search.ts'

const NOW = Date.UTC(2026, 2, 1, 12)
const SCOPE = `${secrets.id}_5c1d7a90-2b3e-4f68-a1c4-9d0e8b7f6a52`
const REQUESTS = times(120, 10_000)
const UNITS = 100_000_000
const TIMEOUT = times(60_000, 1_200_000)

const owner = (id: string): KnownSecret['owner'] => ({ kind: 'channel', id, name: id })
const known: KnownSecret[] = [
  { secret: secrets.right, owner: owner('Messenger'), mistake: null },
  { secret: secrets.other, owner: owner('Other'), mistake: { id: 'other_secret', detail: 'Other' } },
  { secret: secrets.rotated, owner: owner('Messenger'), mistake: { id: 'rotated_secret', detail: null } },
  {
    secret: secrets.integration,
    owner: { kind: 'integration', id: 'i', name: 'Courier' },
    mistake: { id: 'integration_secret', detail: null },
  },
  { secret: secrets.id, owner: owner('Messenger'), mistake: { id: 'id_as_secret', detail: null } },
]

const explained = (request: ReturnType<typeof sentBy>, now = NOW): Finding =>
  explain(request, 'chat', known, now, new Budget(UNITS))

const idsOf = (mistakes: readonly { id: string }[]): string =>
  mistakes
    .map(({ id }) => id)
    .sort()
    .join(' + ')

/** One mistake, or two of different dimensions. */
function chosen(isNewer: boolean, random: (below: number) => number): Planted[] {
  const own = planted.filter(({ of }) => of === undefined || (of === 'newer') === isNewer)
  const first = own[random(own.length)] as Planted
  const second = own[random(own.length)] as Planted
  if (random(3) === 0 || first.dimension === second.dimension) return [first]
  return [first, second].sort((a, b) => planted.indexOf(a) - planted.indexOf(b))
}

/** An empty body has no other form, and the body alone has no lines. */
const canBeTogether = (list: readonly Planted[]): boolean => {
  const ids = new Set(list.map(({ id }) => id))
  const isOlder = ids.has('older_recipe')
  const hasLines = list.some(({ of, dimension }) => of === 'newer' && dimension !== 'recipe')
  return !(isOlder && hasLines)
}

interface Case {
  seed: number
  list: Planted[]
  client: MistakenClient
}

/** The first cases are each mistake alone, so that none is left out. */
function caseOf(seed: number): Case {
  const random = randomOf(seed)
  const alone = planted[seed - 1]
  const isNewer = alone ? alone.of !== 'older' : random(2) === 0
  let list = alone ? [alone] : chosen(isNewer, random)
  while (!canBeTogether(list)) list = chosen(isNewer, random)
  const client = rightClient(secrets.right, SCOPE, isNewer, random, NOW)
  for (const { plant } of list) plant(client, random)
  return { seed, list, client }
}

describe('The mistakes of clients', () => {
  test(
    `are named in ${REQUESTS} generated requests with one or two of them`,
    () => {
      const wrong: string[] = []
      const seen = new Set<string>()
      let exact = 0
      for (let seed = 1; seed <= REQUESTS; seed++) {
        const { list, client } = caseOf(seed)
        for (const { id } of list) seen.add(id)
        const finding = explained(sentBy(client))
        const expected = idsOf(list)
        const named = [finding.mistakes, ...finding.others].map(idsOf)
        if (named[0] === expected) exact++
        // Fewer mistakes with the same bytes are a better explanation of them.
        const isShorter =
          finding.signed?.equals(textOf(client)) === true && finding.mistakes.length < list.length
        if (!named.includes(expected) && !isShorter)
          wrong.push(`${seed}: ${expected} is ${named[0] || 'unknown'}`)
      }
      expect(wrong.slice(0, 20)).toEqual([])
      expect(exact / REQUESTS).toBeGreaterThan(0.9)
      expect(planted.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([])
    },
    TIMEOUT,
  )

  test('are absent in right requests of both recipes', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = randomOf(seed)
      const client = rightClient(secrets.right, SCOPE, seed % 2 === 0, random, NOW)
      const finding = explained(sentBy(client))
      expect([finding.holds, finding.mistakes, finding.recipe]).toEqual([
        true,
        [],
        seed % 2 === 0 ? 'chat_lines' : 'chat_body',
      ])
    }
  })
})
